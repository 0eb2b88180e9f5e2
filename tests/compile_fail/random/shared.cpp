// error: normal_like: argument 2.calls belongs to a random state that is not shared, so that each call would draw the same numbers; declare it as shared<random_state<symbol>>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<random_state<symbol>> rng) { return x + normal_like(x, rng); });
#else
    auto f = function<cpu>([](vector<float> x, random_state<symbol> rng) { return x + normal_like(x, rng); });
#endif
}
