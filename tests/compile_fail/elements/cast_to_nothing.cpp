// error: cast takes an element type in angle brackets, and an array: cast<double>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    array<double, 2> y = cast<double>(m);
#else
    auto y = cast(m);
#endif
}
