// error: the elements of this view can only be read
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x{1, 2};
    const array<float, 1>& y = x;
#ifdef CROTON_TEST_OK
    x(slice(0, 1)) = y(slice(1, 2)) * 2;
#else
    y(slice(0, 1)) = x(slice(1, 2)) * 2;
#endif
}
