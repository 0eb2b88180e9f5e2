// SPDX-License-Identifier: MIT
// Slices and joined arrays in the kernels of the GPU.
#include "device/emulated_cuda.hpp"
#include "ops/slice.hpp"

using namespace slicing;

TEST_CASE("reading through slices") { check_reads<emulated_gpu, float>(); }

TEST_CASE("slices of what is computed") { check_computed<emulated_gpu>(); }

TEST_CASE("joined arrays") { check_joined<emulated_gpu, float>(); }
