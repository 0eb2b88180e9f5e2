// error: croton: normal<T, 3, 2>(rng): extents stand in angle brackets, and rng behind all else; those of an array x has normal_like(x, rng)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto rng = default_rng(42);
#ifdef CROTON_TEST_OK
    const array<float, 2> x = normal<float, 3, 2>(rng);
#else
    const array<float, 2> x = normal<float>(rng, 3, 2);
#endif
    return x(0, 0) > 5 ? 1 : 0;
}
