// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 12 to 17") {
    random_programs::check<random_programs::plain_loops, 12>();
    random_programs::check<random_programs::plain_loops, 13>();
    random_programs::check<random_programs::plain_loops, 14>();
    random_programs::check<random_programs::plain_loops, 15>();
    random_programs::check<random_programs::plain_loops, 16>();
    random_programs::check<random_programs::plain_loops, 17>();
}
