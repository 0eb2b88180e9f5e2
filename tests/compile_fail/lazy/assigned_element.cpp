// error: the expression holds float with 1 axis, but the array double with 1; convert it with cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1};
    array<double, 1> y(1);
#ifdef CROTON_TEST_OK
    y = cast<double>(a + 1);
#else
    y = a + 1;
#endif
}
