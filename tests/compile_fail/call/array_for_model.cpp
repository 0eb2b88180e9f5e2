// error: argument 2 is not a model; the function takes a struct of 2 arrays, such as mlp<on<cpu>::array>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};

int main() {
    auto f = function<cpu>([](matrix<float> x, mlp<symbol> m) { return dot(x, m.w) + m.b; });
    array<float, 2> x(2, 3);
    mlp<on<cpu>::array> m;
#ifdef CROTON_TEST_OK
    f(x, m);
#else
    f(x, x);
#endif
}
