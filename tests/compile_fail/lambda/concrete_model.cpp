// error: parameter 1 of the lambda is not symbolic; a parameter is
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](mlp<symbol> m) { return m.w + m.b; });
#else
    auto f = function<cpu>([](mlp<on<cpu>::array> m, matrix<float> x) { return x; });
#endif
}
