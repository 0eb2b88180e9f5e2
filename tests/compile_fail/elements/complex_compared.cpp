// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> a{1, 2};
    const std::vector<std::complex<float>> numbers(2);
    const std::vector<float> parts(2);
#ifdef CROTON_TEST_OK
    const bool same = a == parts;
#else
    const bool same = a == numbers;
#endif
}
