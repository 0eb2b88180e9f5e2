// error: parameter 1 of the lambda is not symbolic; a parameter is a scalar, vector, matrix or tensor, shared<...> of one, or a model struct of them, such as mlp<symbol>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct settings {
    A<float, 2> w;
};
template <template <class, int> class A> struct wrong_settings {
    A<float, 2> w;
    int size;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](settings<symbol> s) { return s.w; });
#else
    auto f = function<cpu>([](wrong_settings<symbol> s) { return s.w; });
#endif
}
