// SPDX-License-Identifier: MIT
#include "golden/operators.hpp"

TEST_CASE("every operator of int8 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::int8>(); }
TEST_CASE("every operator of uint8 is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::uint8>(); }
