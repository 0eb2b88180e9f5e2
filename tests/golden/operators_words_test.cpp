// SPDX-License-Identifier: MIT
#include "golden/operators.hpp"

TEST_CASE("every operator of int is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::int32>(); }
TEST_CASE("every operator of uint32 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::uint32>(); }
