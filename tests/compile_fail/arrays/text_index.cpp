// error: an index is a whole number, a slice, or an array of whole numbers
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    float s = a[0];
#else
    float s = a["0"];
#endif
}
