// error: an array takes at most one index for each of its axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    float s = a(1);
#else
    float s = a(0, 1);
#endif
}
