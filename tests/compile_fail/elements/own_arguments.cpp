// error: cube: its value must take 2 float and give float, but it cannot be called with them
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

struct cube {
    static constexpr std::string_view name = "cube";
    static float value(float x) { return x * x * x; }
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return elementwise<cube>(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return elementwise<cube>(x, 1); });
#endif
}
