// error: an expression that is const keeps its value; declare a variable, as in auto y = x + 1 or expr<float, 1> y = x
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { auto y = 2 * x; y += 1; return y; });
#else
    auto f = function<cpu>([](vector<float> x) { const auto y = 2 * x; y += 1; return y; });
#endif
}
