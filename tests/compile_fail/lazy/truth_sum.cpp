// error: add takes numbers, but its argument holds bool; convert it with cast<float>(x) or cast<int>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<bool, 1> m{true, false}, y;
#ifdef CROTON_TEST_OK
    y = m | m;
#else
    y = m + m;
#endif
}
