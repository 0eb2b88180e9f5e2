// error: argument 2 of pad(x, 1) must be a whole number, but is an array
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = pad(m, constant<1>);
#else
    array<float, 2> y = pad(m, m);
#endif
}
