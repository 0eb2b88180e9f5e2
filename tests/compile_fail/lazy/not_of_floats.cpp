// error: logical_not takes bool, but its argument holds float; compare first, as in x > 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    if (!any(a > 0)) return 1;
#else
    if (!a) return 1;
#endif
}
