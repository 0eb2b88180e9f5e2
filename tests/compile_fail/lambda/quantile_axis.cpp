// error: the axes of quantile stand in angle brackets: quantile<0>(x, 0.5)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    // The first number is the share.
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return quantile<0>(x, 0.9); });
#else
    auto f = function<cpu>([](matrix<float> x) { return quantile(x, 0.9, 0); });
#endif
}
