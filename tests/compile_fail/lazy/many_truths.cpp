// error: many truth values are not one; all(a > b) and any(a > b) are
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3}, y;
#ifdef CROTON_TEST_OK
    if (any(a > 2)) y = a * 1;
#else
    if (a > 2) y = a * 1;
#endif
}
