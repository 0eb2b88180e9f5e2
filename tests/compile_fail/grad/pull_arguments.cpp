// error: the pull of custom_gradient(y, pull, x...) takes the cotangent of y, y, and every x, as in [](auto g, auto y, auto x) { return g * x; }
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad(sum(custom_gradient(exp(x), [](auto g, auto, auto) { return g; }, x)), x); });
#else
    auto f = function<cpu>([](vector<float> x) { return grad(sum(custom_gradient(exp(x), [](auto g, auto) { return g; }, x)), x); });
#endif
    (void)f;
}
