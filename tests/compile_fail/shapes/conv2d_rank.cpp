// error: croton: conv2d takes images of 4 axes, [n,channels,height,width], and kernels of 4; newaxis<0>(x) makes one image a batch
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 1, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv2d(newaxis<0>(x), w); });
#else
    auto f = function<cpu>([](tensor<float, 1, 4, 8> x, tensor<float, 6, 1, 3, 3> w) { return conv2d(x, w); });
#endif
}
