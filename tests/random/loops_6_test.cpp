// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 36 to 41") {
    random_programs::check<random_programs::plain_loops, 36>();
    random_programs::check<random_programs::plain_loops, 37>();
    random_programs::check<random_programs::plain_loops, 38>();
    random_programs::check<random_programs::plain_loops, 39>();
    random_programs::check<random_programs::plain_loops, 40>();
    random_programs::check<random_programs::plain_loops, 41>();
}
