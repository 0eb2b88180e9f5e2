// SPDX-License-Identifier: MIT
#include "golden/second.hpp"

TEST_CASE("second derivatives of operators of two arguments: part 2 of 2") {
    support::for_each_operator<golden::second_part<2, 1, 2>::kept>([]<class Op>() { golden::check_second<Op>(); });
}
