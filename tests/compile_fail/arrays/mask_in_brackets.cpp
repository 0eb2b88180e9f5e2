// error: a mask as an index gives an array whose extents depend on its elements; in a function, where(mask, x, 0) keeps them all
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    a = where(a > 1, 0, a);
#else
    a[a > 1] = 0;
#endif
}
