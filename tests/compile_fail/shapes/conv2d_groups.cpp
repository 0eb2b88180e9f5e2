// error: conv2d(argument 1, argument 2): 4 groups do not divide 6 kernels
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 4, 8, 8> x, tensor<float, 6, 2, 3, 3> w) { return conv2d(x, w, {.groups = 2}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 8, 8, 8> x, tensor<float, 6, 2, 3, 3> w) { return conv2d(x, w, {.groups = 4}); });
#endif
}
