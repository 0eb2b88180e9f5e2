// error: one truth value is assigned to an array; a == b compares whole arrays, and equal(a, b) their elements, as in mask = equal(a, b); all are set by mask.fill(true)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{1, 3};
    array<bool, 1> mask(2);
#ifdef CROTON_TEST_OK
    mask = equal(a, b);
#else
    mask = a == b;
#endif
}
