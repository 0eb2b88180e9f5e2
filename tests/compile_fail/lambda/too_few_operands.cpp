// error: hypot(x, y) takes 2 arguments, but is given 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return hypot(x, x); });
#else
    auto f = function<cpu>([](vector<float> x) { return hypot(x); });
#endif
    f(array<float, 1>{1, 2});
}
