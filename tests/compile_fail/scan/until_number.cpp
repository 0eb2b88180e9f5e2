// error: greater: carried value 1 of a loop holds double and argument 1 holds float; convert one of them with cast<double>(x) or cast<float>(x); the loop begins with a number that is double, as 0.0 is, and 0.0f is float
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<float> w) { return std::get<0>(scan([&](auto s) { return step(s + 0.5, none, until(s > w)); }, 0.0f, times(9))); });
#else
    auto f = function<cpu>([](scalar<float> w) { return std::get<0>(scan([&](auto s) { return step(s + 0.5, none, until(s > w)); }, 0.0, times(9))); });
#endif
}
