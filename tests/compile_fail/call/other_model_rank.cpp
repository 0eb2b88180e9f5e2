// error: argument 2.b has rank 2, but the function takes rank 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};
template <template <class, int> class A> struct other {
    A<float, 2> w, b;
};

int main() {
    auto f = function<cpu>([](matrix<float> x, mlp<symbol> m) { return dot(x, m.w) + m.b; });
    array<float, 2> x(2, 3);
    mlp<on<cpu>::array> m;
#ifdef CROTON_TEST_OK
    f(x, m);
#else
    f(x, other<on<cpu>::array>());
#endif
}
