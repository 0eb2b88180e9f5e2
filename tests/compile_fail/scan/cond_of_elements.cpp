// error: cond takes one condition, as in cond(x > 0, f, g); one for each element has where(x > 0, a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return where(x > 0, x, -x); });
#else
    auto f = function<cpu>([](vector<float> x) { return cond(x > 0, x, -x); });
#endif
}
