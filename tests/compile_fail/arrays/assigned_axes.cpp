// error: elements with more axes are assigned than these have; take a part, as in x(0), or reduce them, as in sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<double, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    m(slice(), 0) = m(slice(), 1);
#else
    m(slice(), 0) = m;
#endif
}
