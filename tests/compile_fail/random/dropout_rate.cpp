// error: dropout: the rate is a share of the elements, from 0 up to but not 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, shared<random_state<symbol>> rng) { return dropout(x, 0.99, rng); });
#else
    auto f = function<cpu>([](vector<float> x, shared<random_state<symbol>> rng) { return dropout(x, 1.0, rng); });
#endif
}
