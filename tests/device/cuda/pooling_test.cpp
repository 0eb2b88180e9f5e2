// SPDX-License-Identifier: MIT
// Pooling as routines of the GPU.
#include "device/emulated_cuda.hpp"
#include "device/pooling.hpp"

using namespace croton;

TEST_CASE("against loops") { device_pooling::check_all<emulated_gpu>({{2, 3, 9, 14}, {1, 4, 5, 6}, {0, 4, 5, 6}}); }
