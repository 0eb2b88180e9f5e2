// error: croton: sgd(cost, model, {.learning_rate = 0.01}) takes options in braces, and no state; with velocities it is momentum(cost, model, state, {.momentum = 0.9})
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](shared<vector<float>> w, scalar<float> rate) { return updates(sgd(sum(sqr(w)), w, {.learning_rate = rate})); });
#else
    auto f = function<cpu>([](shared<vector<float>> w, scalar<float> rate) { return updates(sgd(sum(sqr(w)), w, rate)); });
#endif
}
