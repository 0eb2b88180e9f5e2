// error: argument 1 holds complex numbers, of which real and imaginary parts are arguments of their own, but the function takes double
// SPDX-License-Identifier: MIT
#include <complex>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<double> x) { return sum(x); });
#ifdef CROTON_TEST_OK
    f(std::vector<double>(3));
#else
    f(std::vector<std::complex<double>>(3));
#endif
}
