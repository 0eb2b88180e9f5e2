// error: gelu takes float or double, but its argument holds bool; convert it with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return gelu(x); });
#else
    auto f = function<cpu>([](vector<bool> x) { return gelu(x); });
#endif
}
