// error: randint<T, 3, 2>(low, high, rng) has an element type and extents in angle brackets, and draws from a random state, auto rng = default_rng(42), in a function a parameter, shared<random_state<symbol>> rng
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto rng = default_rng(1);
#ifdef CROTON_TEST_OK
    auto x = randint<int, 5>(0, 10, rng);
#else
    auto x = randint(0, 10, 5);
#endif
}
