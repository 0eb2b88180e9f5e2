// error: conv_transpose2d(argument 1, argument 2): argument 1 has 4 channels but argument 2 has kernels for 6
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 6, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv_transpose2d(x, w, {.stride = 2, .output_padding = 1}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 4, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv_transpose2d(x, w, {.stride = 2, .output_padding = 1}); });
#endif
}
