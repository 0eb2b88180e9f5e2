// error: the bias of a convolution is a vector that has a number for each channel of the result
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, dynamic, 4, 8, 8> x, tensor<float, 6, 4, 3, 3> w, vector<float, 6> b) { return conv2d(x, w, b); });
#else
    auto f = function<cpu>([](tensor<float, dynamic, 4, 8, 8> x, tensor<float, 6, 4, 3, 3> w, tensor<float, 6, 1, 1> b) { return conv2d(x, w, b); });
#endif
}
