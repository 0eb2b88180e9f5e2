// error: deleted
// error: an array is made of elements of its type and rank; convert them, as in array<float, 1> y = cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    array<float, 1> y = sum<0>(m);
#else
    array<float, 1> y(m);
#endif
}
