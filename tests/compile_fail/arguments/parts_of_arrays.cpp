// error: what decides how arrays are computed with is a constant of the expression
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    auto [a, b] = split<0>(m, constant<1>, constant<2>);
#else
    auto [a, b] = split<0>(m, 1, 2);
#endif
}
