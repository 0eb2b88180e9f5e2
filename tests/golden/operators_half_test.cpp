// SPDX-License-Identifier: MIT
#include "golden/operators.hpp"

TEST_CASE("every operator of half is what NumPy, SciPy and mpmath make of it") { golden::check_operators<croton::element::float16>(); }
