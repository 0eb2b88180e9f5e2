// SPDX-License-Identifier: MIT
// Three random programs by the CUDA engine on emulated blocks.
#include "random/programs.hpp"

#include "device/emulated_cuda.hpp"

TEST_CASE("random programs 100 to 102") {
    random_programs::check<emulated_cuda, 100>();
    random_programs::check<emulated_cuda, 101>();
    random_programs::check<emulated_cuda, 102>();
}
