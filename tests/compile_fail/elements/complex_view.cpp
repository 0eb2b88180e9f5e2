// error: there are no complex numbers; compute with real and imaginary parts as arrays of their own
// SPDX-License-Identifier: MIT
#include <complex>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    std::vector<std::complex<float>> numbers(3);
    std::vector<float> parts(6);
#ifdef CROTON_TEST_OK
    auto v = as_view(parts);
#else
    auto v = as_view(numbers);
#endif
}
