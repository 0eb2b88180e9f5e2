// error: spreads, norms, weighted means, quantiles, integrals and slopes take float or double; convert with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<int> x, vector<float> s) { return batch_norm(cast<float>(x), s, s); });
#else
    auto f = function<cpu>([](matrix<int> x, vector<float> s) { return batch_norm(x, s, s); });
#endif
}
