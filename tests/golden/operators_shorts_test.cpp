// SPDX-License-Identifier: MIT
#include "golden/operators.hpp"

TEST_CASE("every operator of int16 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::int16>(); }
TEST_CASE("every operator of uint16 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::uint16>(); }
