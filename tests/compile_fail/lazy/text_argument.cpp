// error: an argument is neither a number nor an array
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
#ifdef CROTON_TEST_OK
    y = pow(a, 2);
#else
    y = pow(a, "2");
#endif
}
