// error: the two models are not alike
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
    A<float, 1> b;
};
template <template <class, int> class A> struct other {
    A<float, 2> w;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<mlp<symbol>> m, shared<momentum_state<mlp<symbol>>> s) {
        return updates(momentum(sum(sqr(m.w)) + sum(sqr(m.b)), m, s));
    });
#else
    auto f = function<cpu>([](shared<mlp<symbol>> m, shared<momentum_state<other<symbol>>> s) {
        return updates(momentum(sum(sqr(m.w)) + sum(sqr(m.b)), m, s));
    });
#endif
}
