// error: a parameter holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers take real and imaginary parts as parameters of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto size = function<cpu>([](vector<float> real, vector<float> imaginary) { return hypot(real, imaginary); });
#else
    auto size = function<cpu>([](vector<std::complex<float>> z) { return abs(z); });
#endif
    (void)size;
}
