// error: deleted
// error: one truth value is no array; a == b compares whole arrays, and equal(a, b) their elements, as in array<bool, 1> mask = equal(a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{1, 3};
#ifdef CROTON_TEST_OK
    array<bool, 1> mask = equal(a, b);
#else
    array<bool, 1> mask = a == b;
#endif
}
