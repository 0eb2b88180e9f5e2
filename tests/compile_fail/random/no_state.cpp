// error: uniform<T, 3, 2>(rng) has an element type and extents in angle brackets, and draws from a random state, auto rng = default_rng(42), in a function a parameter, shared<random_state<symbol>> rng
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto rng = default_rng(1);
#ifdef CROTON_TEST_OK
    array<double, 1> x = uniform<double, 3>(rng);
#else
    array<double, 1> x = uniform<double, 3>(1);
#endif
}
