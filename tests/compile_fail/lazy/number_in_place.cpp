// error: an operand is neither a number nor an array
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
    float s = 0;
#ifdef CROTON_TEST_OK
    s += sum(a);
#else
    s += a;
#endif
}
