// error: and where indices lead by x = set_at<0>(x, ids, y), where a mask does by x = where(mask, y, x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2, 3};
#ifdef CROTON_TEST_OK
    a = where(a > 2, 0, a);
#else
    a(a > 2) = 0;
#endif
}
