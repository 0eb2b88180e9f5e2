// error: the elements of this view can only be read
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> a{1, 2, 3};
    array<float, 1> y{1, 2, 3};
#ifdef CROTON_TEST_OK
    y(slice(1, none)) = a(slice(1, none)) + 1;
#else
    a(slice(1, none)) = y(slice(1, none)) + 1;
#endif
}
