// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 48 to 49") {
    random_programs::check<croton::cpu, 48>();
    random_programs::check<croton::cpu, 49>();
}
