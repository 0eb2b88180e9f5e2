// error: croton: updates takes updates; results stand in outputs before them, as in return outputs(cost).updates(w -= 0.1 * g)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto step = function<cpu>([](vector<float> x, shared<vector<float>> w) {
        auto cost = sum(sqr(w - x));
#ifdef CROTON_TEST_OK
        return outputs(cost).updates(w -= 0.1 * grad(cost, w));
#else
        return updates(cost, w -= 0.1 * grad(cost, w));
#endif
    });
}
