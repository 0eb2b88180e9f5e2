// SPDX-License-Identifier: MIT
#include "golden/operators.hpp"

TEST_CASE("every operator of bool is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::boolean>(); }
