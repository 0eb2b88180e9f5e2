// error: one truth value stands beside an array; a == b compares whole arrays, and equal(a, b) their elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{1, 3};
#ifdef CROTON_TEST_OK
    a *= float(a == b);
#else
    a *= a == b;
#endif
}
