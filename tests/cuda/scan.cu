// SPDX-License-Identifier: MIT
// Loops on a GPU.
#include "device/scans.hpp"

TEST_CASE("a recurrent network and its gradient, at several lengths") { test::check_recurrent_network<croton::cuda>(); }
TEST_CASE("a loop in a loop, backwards, and the number of the turn") { test::check_nested_loops<croton::cuda>(); }
TEST_CASE("a derivative through the last turns only") { test::check_truncated<croton::cuda>(); }
TEST_CASE("turns that run again, and turns written out") { test::check_chunks<croton::cuda>(); }
TEST_CASE("until a condition holds") { test::check_until<croton::cuda>(); }
TEST_CASE("as often as a value says") { test::check_counted<croton::cuda>(); }
TEST_CASE("the branch that is taken") { test::check_branches<croton::cuda>(); }
TEST_CASE("until a condition holds, in a graph") { test::check_until_again<croton::cuda>(); }
TEST_CASE("as often as a value says, in a graph") { test::check_counted_again<croton::cuda>(); }
TEST_CASE("the branch that is taken, in a graph") { test::check_branches_again<croton::cuda>(); }
