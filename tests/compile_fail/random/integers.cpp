// error: croton: random numbers of this distribution are float or double
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> n, shared<random_state<symbol>> rng) { return uniform_like(cast<float>(n), rng); });
#else
    auto f = function<cpu>([](vector<int> n, shared<random_state<symbol>> rng) { return uniform_like(n, rng); });
#endif
}
