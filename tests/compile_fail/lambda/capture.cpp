// error: the lambda of a function captures nothing; pass what it needs as a parameter, and make a helper static constexpr
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    const float rate = 0.5F;
    auto f = function<cpu>([](vector<float> x, scalar<float> s) { return s * x; });
    f(array<float, 1>{1}, rate);
#else
    const volatile float rate = 0.5F;
    auto f = function<cpu>([=](vector<float> x) { return rate * x; });
    f(array<float, 1>{1});
#endif
}
