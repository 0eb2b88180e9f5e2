// error: croton: mean takes one array, and axes in angle brackets, as in mean<0>(x); two are computed with first, or joined, as in mean<0>(stack<0>(x, y))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 2> m(2, 3);
    array<float, 1> y;
#ifdef CROTON_TEST_OK
    y = mean<0>(m - 1);
#else
    y = mean<0>(m, m);
#endif
}
