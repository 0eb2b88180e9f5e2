// error: an array holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers keep real and imaginary parts in arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = zeros<float>(3);
#else
    auto y = zeros<std::complex<float>>(3);
#endif
}
