// error: C++ has no ** for powers; they are pow(x, y)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return pow(x, y); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return x ** y; });
#endif
}
