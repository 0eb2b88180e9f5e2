// SPDX-License-Identifier: MIT
// Loops that are divided in every way on a GPU, with and without graphs.
#include "device/divided.hpp"

using namespace test;

TEST_CASE("elements, rows, columns and squares, few and many") {
    for (const bool graphs : {false, true}) {
        CAPTURE(graphs);
        cuda::use_graphs(graphs);
        check_divisions<cuda>(10'000'000);
    }
    cuda::use_graphs(true);
}
