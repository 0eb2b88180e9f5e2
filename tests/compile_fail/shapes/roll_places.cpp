// error: roll moves by one whole number of places
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, scalar<int> n) { return roll<0>(x, n); });
#else
    auto f = function<cpu>([](vector<float> x, scalar<float> n) { return roll<0>(x, n); });
#endif
}
