// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 56 to 57") {
    random_programs::check<croton::cpu, 56>();
    random_programs::check<croton::cpu, 57>();
}
