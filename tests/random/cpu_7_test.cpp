// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 62 to 63") {
    random_programs::check<croton::cpu, 62>();
    random_programs::check<croton::cpu, 63>();
}
