// error: the weights of average have as many axes as the array, or one, along the one axis that is named
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return average<1>(x, w); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> w) { return average(x, w); });
#endif
}
