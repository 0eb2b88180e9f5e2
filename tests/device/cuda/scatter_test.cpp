// SPDX-License-Identifier: MIT
// add_at, set_at, segment_sum and bincount as routines of the GPU.
#include "device/emulated_cuda.hpp"
#include "ops/scatter.hpp"

using namespace gathering;

TEST_CASE("rows and columns of a matrix") { check_scatter<emulated_gpu, float, int>(); }

TEST_CASE("segments, counts, and indices of other ranks") {
    check_segments<emulated_gpu>();
    check_joined_segments<emulated_gpu, float>();
}
