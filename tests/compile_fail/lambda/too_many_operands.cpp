// error: exp(x) takes 1 argument, but is given 2
// SPDX-License-Identifier: MIT
#include <cmath>
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return exp(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return exp(x, x); });
#endif
    f(array<float, 1>{1, 2});
}
