// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<double> x) { return outputs(0 * x, x); });
#else
    auto f = function<cpu>([](vector<double> x) { return x * std::complex<double>(0, 1); });
#endif
}
