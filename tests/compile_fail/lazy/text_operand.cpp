// error: text is no operand of an expression
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
#ifdef CROTON_TEST_OK
    y = a * 2;
#else
    y = a * "2";
#endif
}
