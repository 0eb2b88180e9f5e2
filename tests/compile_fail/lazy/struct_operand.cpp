// error: an operand is neither a number nor an array; expressions take numbers, arrays, views, and std::vector, std::array and std::span of numbers
// SPDX-License-Identifier: MIT
#include <deque>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
    std::deque<float> d{1, 2};
#ifdef CROTON_TEST_OK
    y = a * array<float, 1>(d.begin(), d.end());
#else
    y = a * d;
#endif
}
