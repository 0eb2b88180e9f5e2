// SPDX-License-Identifier: MIT
// Pooling in the kernels of the GPU.
#include "device/emulated_cuda.hpp"
#include "ops/pooling.hpp"

TEST_CASE("equal elements, NaN and infinities") { pooling::check_ties<emulated_gpu>(); }
