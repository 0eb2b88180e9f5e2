// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 58 to 59") {
    random_programs::check<croton::cpu, 58>();
    random_programs::check<croton::cpu, 59>();
}
