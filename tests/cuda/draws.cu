// SPDX-License-Identifier: MIT
// Random numbers on a GPU: the bits that every other device has.
#include "device/compare.hpp"
#include "ops/draws.hpp"

TEST_CASE("threads of a GPU draw what an element is made of") { test::check_draws<croton::cuda>(); }
