// SPDX-License-Identifier: MIT
// Convolutions by tiles of emulated blocks.
#include "device/emulated_cuda.hpp"
#include "device/convolution.hpp"

using namespace croton;

TEST_CASE("against loops") {
    const std::int64_t before = emulated_gpu::platform::bodies[1];
    device_convolution::check_all<emulated_gpu>();
    CHECK(emulated_gpu::platform::bodies[1] > before + 20);
}

TEST_CASE("bias and relu, other axes, views, half numbers") { device_convolution::check_forms<emulated_gpu>(); }
