// SPDX-License-Identifier: MIT
// Loops that share a launch on a GPU.
#include "device/joint.hpp"

using namespace test;

TEST_CASE("loops of any size share a launch, with and without graphs") {
    for (const bool graphs : {false, true}) {
        CAPTURE(graphs);
        cuda::use_graphs(graphs);
        check_joint_sizes<cuda>();
    }
    cuda::use_graphs(true);
}
