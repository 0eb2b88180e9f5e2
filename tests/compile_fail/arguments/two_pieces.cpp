// error: there is no axis 5: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(2, 3);
#ifdef CROTON_TEST_OK
    auto [a, b] = split<1>(x, constant<1>, constant<2>);
#else
    auto [a, b] = split<5>(x, constant<1>, constant<2>);
#endif
}
