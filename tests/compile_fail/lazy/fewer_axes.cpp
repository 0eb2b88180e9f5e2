// error: an expression is assigned to an array with fewer axes than it has; reduce it, as in sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1}};
    array<float, 1> y(1);
#ifdef CROTON_TEST_OK
    y = sum<0>(a + 1);
#else
    y = a + 1;
#endif
}
