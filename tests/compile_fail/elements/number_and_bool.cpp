// error: a number meets an expression of bool; convert the expression with cast<float>(x) or cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<bool> x) { return cast<int>(x) == 2; });
#else
    auto f = function<cpu>([](vector<bool> x) { return x == 2; });
#endif
}
