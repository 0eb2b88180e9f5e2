// error: the number of choice stands in angle brackets: choice<5>(x, rng)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x{1, 2, 3};
    auto rng = default_rng(42);
#ifdef CROTON_TEST_OK
    auto y = choice<5>(x, rng);
#else
    auto y = choice(x, rng);
#endif
}
