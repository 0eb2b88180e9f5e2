// error: argument 1 of zeros_like(x) must be an array, but is text
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    auto y = zeros_like(m);
#else
    auto y = zeros_like("m");
#endif
}
