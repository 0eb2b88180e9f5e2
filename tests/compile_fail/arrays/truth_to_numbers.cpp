// error: croton: one truth value is assigned to numbers; a == b compares whole arrays, and equal(a, b) their elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<int, 1> label{1, 2}, guess{1, 3};
    array<float, 1> right(2);
#ifdef CROTON_TEST_OK
    right = cast<float>(equal(label, guess));
#else
    right = label == guess;
#endif
}
