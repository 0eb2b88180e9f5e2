// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<double, 1> a{1, 2};
    const std::complex<double> i(0, 1);
#ifdef CROTON_TEST_OK
    array<double, 1> y = where(a > 1, i.real(), a);
#else
    array<double, 1> y = where(a > 1, i, a);
#endif
}
