// error: trapezoid: argument 2 has 3 points, but argument 1 has 4 values
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float, 4> y) { return trapezoid(y, y); });
#else
    auto f = function<cpu>([](vector<float, 4> y, vector<float, 3> x) { return trapezoid(y, x); });
#endif
}
