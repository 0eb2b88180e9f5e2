// error: choice: axis 0 of argument 1 has extent 4, of which 5 cannot be drawn without replacement
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 4, 2> x, shared<random_state<symbol>> rng) { return choice<5>(x, rng); });
#else
    auto f = function<cpu>([](matrix<float, 4, 2> x, shared<random_state<symbol>> rng) { return choice<5>(x, rng, false); });
#endif
}
