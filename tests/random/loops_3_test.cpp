// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 18 to 23") {
    random_programs::check<random_programs::plain_loops, 18>();
    random_programs::check<random_programs::plain_loops, 19>();
    random_programs::check<random_programs::plain_loops, 20>();
    random_programs::check<random_programs::plain_loops, 21>();
    random_programs::check<random_programs::plain_loops, 22>();
    random_programs::check<random_programs::plain_loops, 23>();
}
