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

TEST_CASE("more than 4 KB of arguments in one launch, and more than fit one") {
    check_many_members<cuda, 10>();
    check_many_members<cuda, 150>();
}
