// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return outputs(cos(log(x)), sin(log(x))); });
#else
    auto f = function<cpu>([](vector<float> x) { return pow(x, std::complex<float>(0, 1)); });
#endif
}
