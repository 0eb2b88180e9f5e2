// error: elements of another type are assigned; convert them, as in y(slice(1, -1)) = cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<double, 1> x{1, 2};
    array<float, 1> y(3);
#ifdef CROTON_TEST_OK
    y(slice(0, 2)) = cast<float>(x);
#else
    y(slice(0, 2)) = x;
#endif
}
