// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 42 to 47") {
    random_programs::check<random_programs::plain_loops, 42>();
    random_programs::check<random_programs::plain_loops, 43>();
    random_programs::check<random_programs::plain_loops, 44>();
    random_programs::check<random_programs::plain_loops, 45>();
    random_programs::check<random_programs::plain_loops, 46>();
    random_programs::check<random_programs::plain_loops, 47>();
}
