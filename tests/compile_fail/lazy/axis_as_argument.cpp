// error: the axes of sum stand in angle brackets: sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    array<float, 1> y = sum<0>(a);
#else
    array<float, 1> y = sum(a, 0);
#endif
}
