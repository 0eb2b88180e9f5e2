// error: conv2d(argument 1, argument 2): it has 2 axes along which windows move, but stride has 3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 1, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv2d(x, w, {.stride = {1, 2}}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 1, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv2d(x, w, {.stride = {1, 2, 3}}); });
#endif
}
