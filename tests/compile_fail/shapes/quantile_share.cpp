// error: quantile: the share lies between 0 and 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return quantile(x, 0.3); });
#else
    auto f = function<cpu>([](vector<float> x) { return quantile(x, 30); });
#endif
}
