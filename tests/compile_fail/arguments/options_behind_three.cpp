// error: options beside arrays are a constant, as in conv2d(x, w, bias, constant<convolution_options{...}>)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 4> x(1, 1, 4, 4), w(1, 1, 3, 3);
    array<float, 1> b(1);
#ifdef CROTON_TEST_OK
    array<float, 4> y = conv2d(x, w, b, constant<convolution_options{.padding = 1}>);
#else
    array<float, 4> y = conv2d(x, w, b, {.padding = 1});
#endif
}
