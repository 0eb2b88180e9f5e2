// error: conv2d(argument 1, argument 2): a window of 7 does not fit into argument 1, which has 6 elements along axis 2 with its padding
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 1, 4, 8> x, tensor<float, 6, 1, 4, 3> w) { return conv2d(x, w, {.padding = 1, .dilation = {1, 2}}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 1, 4, 8> x, tensor<float, 6, 1, 4, 3> w) { return conv2d(x, w, {.padding = 1, .dilation = 2}); });
#endif
}
