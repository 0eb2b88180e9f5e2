// error: croton: adam(cost, model, state, {.learning_rate = 0.001}) takes an adam_state of the model, as shared<adam_state<net<symbol>>>, and options in braces
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct mlp {
    A<float, 2> w;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<mlp<symbol>> m, shared<adam_state<mlp<symbol>>> s) {
        return updates(adam(sum(sqr(m.w)), m, s, {.learning_rate = 0.1}));
    });
#else
    auto f = function<cpu>([](shared<mlp<symbol>> m, shared<momentum_state<mlp<symbol>>> s) {
        return updates(adam(sum(sqr(m.w)), m, s));
    });
#endif
}
