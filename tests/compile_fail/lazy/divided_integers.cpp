// error: / of integers would cut fractions off, where NumPy gives double; write floor_divide(x, y), or cast<double>(x) / y
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<int, 1> a{1, 2, 3};
#ifdef CROTON_TEST_OK
    auto y = eval(floor_divide(a, 2));
#else
    auto y = eval(a / 2);
#endif
}
