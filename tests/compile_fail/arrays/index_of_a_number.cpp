// error: an array takes at most one index for each of its axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 0> x;
#ifdef CROTON_TEST_OK
    (void)x();
#else
    (void)x(0);
#endif
}
