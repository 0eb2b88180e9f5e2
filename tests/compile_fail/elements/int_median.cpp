// error: spreads, norms, weighted means, quantiles, integrals and slopes take float or double; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<int> x) { return median<0>(cast<float>(x)); });
#else
    auto f = function<cpu>([](matrix<int> x) { return median<0>(x); });
#endif
}
