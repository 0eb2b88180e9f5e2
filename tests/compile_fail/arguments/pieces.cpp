// error: the axis and number of split stand in angle brackets: split<0, 3>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 4, 3> x) { auto [a, b] = split<0, 2>(x); return a + b; });
#else
    auto f = function<cpu>([](matrix<float, 4, 3> x) { auto [a, b] = split<0>(x); return a + b; });
#endif
}
