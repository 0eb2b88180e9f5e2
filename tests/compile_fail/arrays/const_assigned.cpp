// error: the array is const, or takes no such value; it takes arrays of its own type, expressions and, on the host, numbers and what has fewer axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> v(3);
    const array<float, 1> fixed = v;
    (void)fixed;
#ifdef CROTON_TEST_OK
    v = fixed;
#else
    fixed = v;
#endif
}
