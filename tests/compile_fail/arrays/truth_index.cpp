// error: an index is a whole number, a slice, or an array of whole numbers
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
    array<float, 2> m{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    a(1) = a[1] + m(1, 0);
#else
    a(true) = a[true] + m(true, 0);
#endif
}
