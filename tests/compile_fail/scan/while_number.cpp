// error: less: the result of a literal holds double and argument 1 holds float; convert one of them with cast<double>(x) or cast<float>(x); the loop begins with a number that is double, as 0.0 is, and 0.0f is float
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<float> w) { return while_loop([&](auto x) { return x < w; }, [](auto x) { return x + 0.5; }, 0.0f); });
#else
    auto f = function<cpu>([](scalar<float> w) { return while_loop([&](auto x) { return x < w; }, [](auto x) { return x + 0.5; }, 0.0); });
#endif
}
