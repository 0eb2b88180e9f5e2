// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 50 to 51") {
    random_programs::check<croton::cpu, 50>();
    random_programs::check<croton::cpu, 51>();
}
