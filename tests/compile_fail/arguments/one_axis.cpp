// error: cumsum takes the axis in angle brackets, and nothing else: cumsum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = cumsum<0>(m);
#else
    array<float, 2> y = cumsum<0, 1>(m);
#endif
}
