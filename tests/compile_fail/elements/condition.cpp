// error: the condition of where is a bool expression; compare first, as in x > 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return where(x > 0, x, 0); });
#else
    auto f = function<cpu>([](vector<float> x) { return where(x, x, 0); });
#endif
}
