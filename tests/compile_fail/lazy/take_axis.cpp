// error: the axis of take stands in angle brackets: take<0>(x, indices)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}, {3, 4}};
    array<int, 1> i{1, 1};
#ifdef CROTON_TEST_OK
    array<float, 2> y = take<0>(a, i);
#else
    array<float, 2> y = take(a, i, 0);
#endif
}
