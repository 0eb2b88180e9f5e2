// error: conv2d(argument 1, argument 2): argument 1 has 3 channels but argument 2 sees 4 in 2 groups
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 4, 8, 8> x, tensor<float, 6, 2, 3, 3> w) { return conv2d(x, w, {.groups = 2}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 3, 8, 8> x, tensor<float, 6, 2, 3, 3> w) { return conv2d(x, w, {.groups = 2}); });
#endif
}
