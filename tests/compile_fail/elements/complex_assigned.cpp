// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<double, 1> a{1, 2};
    const std::complex<double> i(0, 1);
#ifdef CROTON_TEST_OK
    a(slice(0, 1)) = i.imag();
#else
    a(slice(0, 1)) = i;
#endif
}
