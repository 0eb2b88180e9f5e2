// error: text is no operand of an expression
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x + 2; });
#else
    auto f = function<cpu>([](vector<float> x) { return x + "2"; });
#endif
}
