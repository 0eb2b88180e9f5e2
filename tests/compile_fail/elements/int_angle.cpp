// error: sin takes float or double, but its argument holds int; convert it with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return sin(cast<float>(x)); });
#else
    auto f = function<cpu>([](vector<int> x) { return sin(x); });
#endif
}
