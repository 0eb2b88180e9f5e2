// error: an expression is assigned to an array with fewer axes than it has; reduce it, as in sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> x{{1, 2}};
    array<float, 1> y(2);
#ifdef CROTON_TEST_OK
    y = sum<0>(x * 2);
#else
    y = x * 2;
#endif
}
