// SPDX-License-Identifier: MIT
#include "golden/second.hpp"

TEST_CASE("second derivatives of operators of one argument: part 3 of 3") {
    support::for_each_operator<golden::second_part<1, 2, 3>::kept>([]<class Op>() { golden::check_second<Op>(); });
}
