// SPDX-License-Identifier: MIT
// Loops with sums, and the single numbers in their launch, on a GPU.
#include "device/closing.hpp"

using namespace test;

TEST_CASE("what closes loops of all sizes, with and without graphs") {
    for (const bool graphs : {false, true}) {
        CAPTURE(graphs);
        cuda::use_graphs(graphs);
        check_closing<cuda>(2'000'000);
    }
    cuda::use_graphs(true);
}
