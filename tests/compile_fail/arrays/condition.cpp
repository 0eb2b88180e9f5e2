// error: an array is neither true nor false; all(x > 0) and any(x > 0) are, and so is x.size() > 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    if (any(v > 0)) {}
#else
    if (v) {}
#endif
}
