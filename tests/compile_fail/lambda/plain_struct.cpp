// error: parameter 2 of the lambda is not symbolic; a parameter is a scalar, vector, matrix or tensor, shared<...> of one, or a model struct of them, such as mlp<symbol> of template <template <class, int> class A> struct mlp { A<float, 2> w; }
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct layer {
    A<float, 2> w;
    A<float, 1> b;
};
struct plain {
    matrix<float> w;
    vector<float> b;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, layer<symbol> l) { return dot(x, l.w) + l.b; });
#else
    auto f = function<cpu>([](matrix<float> x, shared<plain> l) { return dot(x, l.w) + l.b; });
#endif
}
