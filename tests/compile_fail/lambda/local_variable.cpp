// error: the lambda runs while the program compiles, but it uses a variable that is not constexpr, an expression that was given no value, or a function that is not constexpr
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    static float rate = 0.5F;
    constexpr float fixed_rate = 0.5F;
    (void)rate;
    (void)fixed_rate;
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x * fixed_rate; });
#else
    auto f = function<cpu>([](vector<float> x) { return x * rate; });
#endif
}
