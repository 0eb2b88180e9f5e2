// error: conv2d(argument 1, argument 2): a padding is "same", "valid", "full", or numbers
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 1, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv2d(x, w, {.padding = "same"}); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 1, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv2d(x, w, {.padding = "half"}); });
#endif
}
