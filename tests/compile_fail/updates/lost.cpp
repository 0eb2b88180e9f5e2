// error: update: the new value of argument 2 is not returned, so it would be lost; return outputs(...).updates(w -= ...), or updates(...) alone
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { auto cost = sum(sqr(w - x)); return outputs(cost).updates(w -= 0.1 * grad(cost, w)); });
#else
    auto f = function<cpu>([](vector<float> x, shared<vector<float>> w) { auto cost = sum(sqr(w - x)); w -= 0.1 * grad(cost, w); return cost; });
#endif
}
