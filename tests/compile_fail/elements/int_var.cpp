// error: spreads, norms, weighted means, quantiles, integrals and slopes take float or double; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return var(cast<float>(x)); });
#else
    auto f = function<cpu>([](vector<int> x) { return var(x); });
#endif
}
