// error: an expression with axes is no number; its functions are those of croton, as in exp(x) and not std::exp(x)
// SPDX-License-Identifier: MIT
#include <cmath>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, y;
#ifdef CROTON_TEST_OK
    y = sin(a * 2);
#else
    y = std::sin(a * 2);
#endif
}
