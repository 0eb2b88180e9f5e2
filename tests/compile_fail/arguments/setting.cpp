// error: argument 2 of pow(x, y) must be an array or a number, but is neither
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = pow(m, 2);
#else
    array<float, 2> y = pow(m, constant<ddof(1)>);
#endif
}
