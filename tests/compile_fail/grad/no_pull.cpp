// error: grad: gaussian has no derivative; give its struct a function pull(g, y, x) that returns the cotangents of its arguments
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

struct gaussian {
    static constexpr std::string_view name = "gaussian";
    static float value(float x) { return std::exp(-x * x); }
#ifdef CROTON_TEST_OK
    template <class N> static constexpr auto pull(N g, N y, N x) { return std::array{-2 * g * x * y}; }
#endif
};

int main() {
    auto f = function<cpu>([](vector<float> x) { return grad(sum(elementwise<gaussian>(x)), x); });
    (void)f(array<float, 1>{1, 2});
}
