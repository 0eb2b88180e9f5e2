// SPDX-License-Identifier: MIT
// Convolutions on a GPU: tiles of products, with both gradients, against plain loops.
#include "device/convolution.hpp"

TEST_CASE("against loops") { device_convolution::check_all<croton::cuda>(); }

TEST_CASE("sums of kernels over many places") {
    device_convolution::check<croton::cuda, float, device_convolution::plain>({8, 16, 56, 56}, {32, 16, 3, 3});
}

TEST_CASE("bias and relu, other axes, views, half numbers") { device_convolution::check_forms<croton::cuda>(); }
