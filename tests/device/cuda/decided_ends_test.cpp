// SPDX-License-Identifier: MIT
// Loops that conditions end, and branches, recorded: the device decides which turns run, forwards and backwards.
#include "device/decided.hpp"

using namespace test;

TEST_CASE("until conditions hold") { check_recorded(test::check_until_again<gpu>, 2, 12); }
TEST_CASE("the branch that is taken") { check_recorded(test::check_branches_again<gpu>, 1, 4); }
