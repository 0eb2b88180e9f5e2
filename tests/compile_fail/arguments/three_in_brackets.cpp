// error: swapaxes takes the axes in angle brackets, and nothing else: swapaxes<0, 1>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 3> x(2, 3, 4);
#ifdef CROTON_TEST_OK
    array<float, 3> y = swapaxes<0, 2>(x);
#else
    array<float, 3> y = swapaxes<0, 1, 2>(x);
#endif
}
