// error: trapezoid adds up along the last axis, and one number has none
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return trapezoid(x); });
#else
    auto f = function<cpu>([](scalar<float> x) { return trapezoid(x); });
#endif
}
