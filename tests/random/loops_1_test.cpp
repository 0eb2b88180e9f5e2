// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 6 to 11") {
    random_programs::check<random_programs::plain_loops, 6>();
    random_programs::check<random_programs::plain_loops, 7>();
    random_programs::check<random_programs::plain_loops, 8>();
    random_programs::check<random_programs::plain_loops, 9>();
    random_programs::check<random_programs::plain_loops, 10>();
    random_programs::check<random_programs::plain_loops, 11>();
}
