// error: grad: the cost does not depend on argument 1.b; take grad only for what the cost is computed from
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](mlp<symbol> m) { return grad(sum(dot(m.w, m.b)), m); });
#else
    auto f = function<cpu>([](mlp<symbol> m) { return grad(sum(m.w), m); });
#endif
}
