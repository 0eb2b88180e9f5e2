// error: deleted
// error: an array is made of elements of its type and rank; convert them, as in array<float, 1> y = cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    array<double, 1> y = cast<double>(v);
#else
    array<double, 1> y(v);
#endif
}
