// error: an array holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers keep real and imaginary parts in arrays of their own
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    array<float, 1> x(3);
#else
    array<char16_t, 1> x(3);
#endif
}
