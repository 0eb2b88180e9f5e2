// error: rmsprop: momentum needs velocities; keep a rmsprop_momentum_state<Model>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, shared<rmsprop_momentum_state<symbol<float, 1>>> state) {
#else
    auto f = function<cpu>([](shared<vector<float>> w, shared<rmsprop_state<symbol<float, 1>>> state) {
#endif
        return updates(rmsprop(sum(sqr(w)), w, state, {.momentum = 0.9}));
    });
}
