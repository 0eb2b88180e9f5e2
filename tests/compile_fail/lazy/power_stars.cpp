// error: C++ has no ** for powers; they are pow(x, y)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{1, 3};
#ifdef CROTON_TEST_OK
    auto y = eval(pow(a, b));
#else
    auto y = eval(a ** b);
#endif
}
