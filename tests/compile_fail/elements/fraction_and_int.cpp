// error: a floating-point number meets an expression of int; convert the expression with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return 0.5 * cast<float>(x); });
#else
    auto f = function<cpu>([](vector<int> x) { return 0.5 * x; });
#endif
}
