// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 60 to 61") {
    random_programs::check<croton::cpu, 60>();
    random_programs::check<croton::cpu, 61>();
}
