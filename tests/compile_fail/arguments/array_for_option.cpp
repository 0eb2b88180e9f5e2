// error: argument 2 of gelu(x) must be an option, but is an array
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(3, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = gelu(m);
#else
    array<float, 2> y = gelu(m, m);
#endif
}
