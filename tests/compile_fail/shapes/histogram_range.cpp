// error: histogram: bins go up, from the lower number to the higher
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return histogram<3>(x, 0, 1); });
#else
    auto f = function<cpu>([](vector<float> x) { return histogram<3>(x, 1, 0); });
#endif
}
