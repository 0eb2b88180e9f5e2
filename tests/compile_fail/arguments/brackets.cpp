// error: maximum(x, y) takes nothing in angle brackets
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = maximum(m, m);
#else
    array<float, 2> y = maximum<0>(m, m);
#endif
}
