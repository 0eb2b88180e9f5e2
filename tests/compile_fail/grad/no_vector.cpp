// error: hvp(cost, x, v) takes 3 arguments, but is given 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return hvp(sum(x * x), x, x); });
#else
    auto f = function<cpu>([](vector<float> x) { return hvp(sum(x * x), x); });
#endif
}
