// error: croton: the view is const; its elements are written by v(ellipsis) = x
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
    const auto row = m(0);
#ifdef CROTON_TEST_OK
    row(ellipsis) = 3;
    row = m(1) * 2;
#else
    row = 3;
#endif
}
