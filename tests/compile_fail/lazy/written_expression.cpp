// error: an expression is not written; name its values, as in auto y = eval(a * b), and then y += c
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
#ifdef CROTON_TEST_OK
    auto y = eval(a * 2);
    y += a;
#else
    auto y = a * 2;
    y += a;
#endif
}
