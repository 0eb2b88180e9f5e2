// error: an index is a whole number, a slice, or an array of whole numbers
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> x(3, 4);
    const view<const float, 2> y = x;
#ifdef CROTON_TEST_OK
    return x(1, 2) > y(0, 1) ? 0 : 1;
#else
    return x(1, 0.5) > y(0.5, 1) ? 0 : 1;
#endif
}
