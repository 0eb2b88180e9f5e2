// error: an expression has no elements before it is computed; walk along its values, as in for (float x : eval(a * b))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3}, y(1);
#ifdef CROTON_TEST_OK
    for (const float v : eval(a * 2)) y += v;
#else
    for (const float v : a * 2) y += v;
#endif
}
