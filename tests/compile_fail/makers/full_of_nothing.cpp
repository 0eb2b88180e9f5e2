// error: full takes the extents in braces and the value of each element: full<float>({2, 3}, 0.5)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto y = full<float>({2, 3}, 1);
#else
    auto y = full<float>({2, 3});
#endif
}
