// error: eye takes whole numbers, the extents and the place of the diagonal: eye<float>(3), eye<float>(3, 4, 1)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = eye<float>(3);
#else
    auto y = eye<float>(2.5);
#endif
}
