// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<double, 1> a{1, 2};
    const std::vector<double> z(2);
#ifdef CROTON_TEST_OK
    array<double, 1> y = a * z;
#else
    array<double, 1> y = a * std::vector<std::complex<double>>(2);
#endif
}
