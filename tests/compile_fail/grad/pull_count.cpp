// error: the pull of custom_gradient returns a cotangent for each of its arguments, of its rank
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return grad(sum(custom_gradient(x * y, [](auto g, auto, auto, auto) { return std::tuple(g, g); }, x, y)), x); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return grad(sum(custom_gradient(x * y, [](auto g, auto, auto, auto) { return g; }, x, y)), x); });
#endif
}
