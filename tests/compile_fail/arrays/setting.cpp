// error: what decides how arrays are computed with is a constant of the expression, as in norm(x, constant<1>), var(x, constant<ddof(1)>), pad(x, constant<1>, constant<pad_mode::edge>) or conv2d(x, w, constant<convolution_options{.stride = 2}>)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    const float y = norm(x, constant<1>);
#else
    const float y = norm(x, 1);
#endif
}
