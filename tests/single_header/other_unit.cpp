// SPDX-License-Identifier: MIT
// The unit that is compiled with other flags than its neighbour.
#include <croton/croton.hpp>

using namespace croton;

float squares_in_other_unit(const array<float, 1>& x);

float squares_in_other_unit(const array<float, 1>& x) {
    auto squares = function<cpu>([](vector<float> v) { return sum(v * v + exp(v - v)); });
    return squares(x)();
}
