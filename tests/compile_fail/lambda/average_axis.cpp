// error: the axes of average stand in angle brackets: average<0>(x, weights)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    // NumPy has the axis between the two.
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return average<0>(x, w); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return average(x, 0, w); });
#endif
}
