// error: argument 2 is a complex number, of which real and imaginary parts are arguments of their own
// SPDX-License-Identifier: MIT
#include <complex>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<double> x, scalar<double> s) { return x * s; });
    const array<double, 1> a{1, 2};
    const std::complex<double> i(0, 1);
#ifdef CROTON_TEST_OK
    f(a, i.real());
#else
    f(a, i);
#endif
}
