// error: the expression holds float with 1 axis, but the array double with 1; convert it with cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1};
#ifdef CROTON_TEST_OK
    array<double, 1> y = cast<double>(a + 1);
#else
    array<double, 1> y = a + 1;
#endif
}
