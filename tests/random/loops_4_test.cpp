// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 24 to 29") {
    random_programs::check<random_programs::plain_loops, 24>();
    random_programs::check<random_programs::plain_loops, 25>();
    random_programs::check<random_programs::plain_loops, 26>();
    random_programs::check<random_programs::plain_loops, 27>();
    random_programs::check<random_programs::plain_loops, 28>();
    random_programs::check<random_programs::plain_loops, 29>();
}
