// SPDX-License-Identifier: MIT
// Two random programs on the CPU, with its SIMD loops and BLAS.
#include "random/programs.hpp"

TEST_CASE("random programs 52 to 53") {
    random_programs::check<croton::cpu, 52>();
    random_programs::check<croton::cpu, 53>();
}
