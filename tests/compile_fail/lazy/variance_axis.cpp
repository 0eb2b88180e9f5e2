// error: the axes of var stand in angle brackets: var<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    array<float, 1> y = var<0>(a, constant<ddof(1)>);
#else
    array<float, 1> y = var(a, 0, ddof(1));
#endif
}
