// SPDX-License-Identifier: MIT
// Six random programs, run by plain loops.
#include "random/programs.hpp"

TEST_CASE("random programs 0 to 5") {
    random_programs::check<random_programs::plain_loops, 0>();
    random_programs::check<random_programs::plain_loops, 1>();
    random_programs::check<random_programs::plain_loops, 2>();
    random_programs::check<random_programs::plain_loops, 3>();
    random_programs::check<random_programs::plain_loops, 4>();
    random_programs::check<random_programs::plain_loops, 5>();
}
