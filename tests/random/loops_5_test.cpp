// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 30 to 35") {
    random_programs::check<random_programs::plain_loops, 30>();
    random_programs::check<random_programs::plain_loops, 31>();
    random_programs::check<random_programs::plain_loops, 32>();
    random_programs::check<random_programs::plain_loops, 33>();
    random_programs::check<random_programs::plain_loops, 34>();
    random_programs::check<random_programs::plain_loops, 35>();
}
