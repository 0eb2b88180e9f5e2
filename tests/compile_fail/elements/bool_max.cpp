// error: max, min, argmax, argmin, cummax and cummin do not take bool; use any or all, or convert with cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<bool> x) { return any(x); });
#else
    auto f = function<cpu>([](vector<bool> x) { return max(x); });
#endif
}
