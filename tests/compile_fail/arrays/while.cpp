// error: an array is neither true nor false; all(x > 0) and any(x > 0) are, and so is x.size() > 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    while (m.size() < 6) {}
#else
    while (m) {}
#endif
}
