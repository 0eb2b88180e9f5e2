// error: custom_gradient(y, pull, x...) takes a lambda without captures, and one to four expressions
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad(sum(custom_gradient(exp(x), [](auto g, auto, auto) { return g; }, x)), x); });
#else
    auto f = function<cpu>([](vector<float> x) { return grad(sum(custom_gradient(exp(x), [x](auto g, auto, auto) { return g * x; }, x)), x); });
#endif
}
