// error: text is no operand of an expression
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { auto y = 2 * x; y += 2; return y; });
#else
    auto f = function<cpu>([](vector<float> x) { auto y = 2 * x; y += "2"; return y; });
#endif
}
