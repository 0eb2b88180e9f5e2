// error: text is no operand of an expression
// SPDX-License-Identifier: MIT
#include <iostream>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    std::cout << "sum: " << sum(a);
#else
    std::cout << "sum: " + sum(a);
#endif
}
