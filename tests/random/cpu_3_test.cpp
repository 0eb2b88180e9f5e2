// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 54 to 55") {
    random_programs::check<croton::cpu, 54>();
    random_programs::check<croton::cpu, 55>();
}
