// error: the expression holds float with 1 axis, but the array float with 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1};
#ifdef CROTON_TEST_OK
    array<float, 2> y(1, 1);
    y = a + 1;
#else
    array<float, 2> y = a + 1;
#endif
}
