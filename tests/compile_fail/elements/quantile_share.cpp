// error: the share of a quantile is a number of float or double, or a vector of them
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, matrix<double> q) { return quantile(x, q(0)); });
#else
    auto f = function<cpu>([](vector<float> x, matrix<double> q) { return quantile(x, q); });
#endif
}
