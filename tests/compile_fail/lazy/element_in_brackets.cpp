// error: an expression has no elements before it is computed; name its values, as in auto y = eval(a * b), and take y(0) of them
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    float s = eval(a * 2)[0];
#else
    float s = (a * 2)[0];
#endif
}
