// error: an expression is not a number while tracing; its functions are those of croton, as in exp(x) and not std::exp(x)
// SPDX-License-Identifier: MIT
#include <cmath>
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return abs(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return std::abs(x); });
#endif
    f(array<float, 1>{1, 2});
}
