// SPDX-License-Identifier: MIT
// Random numbers in the kernels of the CUDA device.
#include "ops/draws.hpp"

#include "device/emulated_cuda.hpp"

TEST_CASE("emulated threads draw what an element is made of") { test::check_draws<emulated_gpu>(); }
