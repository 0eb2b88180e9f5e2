// SPDX-License-Identifier: MIT
#include "golden/operators.hpp"

TEST_CASE("every operator of int64 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::int64>(); }
TEST_CASE("every operator of uint64 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::uint64>(); }
