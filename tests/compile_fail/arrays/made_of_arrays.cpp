// error: deleted
// error: an array is made of one whole number for each of its axes, as in array<float, 2> x(100, 784), or of values in braces
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = stack<0>(v, v);
#else
    array<float, 2> y(v, v);
#endif
}
