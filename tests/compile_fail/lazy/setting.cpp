// error: what decides how arrays are computed with is a constant of the expression, as in norm(x, constant<1>), var(x, constant<ddof(1)>)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3}, y;
#ifdef CROTON_TEST_OK
    y = pad(a, constant<1>);
#else
    y = pad(a, 1);
#endif
}
