// error: concatenate takes the axis in angle brackets, and nothing else: concatenate<0>(x, y)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = concatenate<1>(m, m);
#else
    array<float, 2> y = concatenate<0, 1>(m, m);
#endif
}
