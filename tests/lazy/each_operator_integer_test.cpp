// SPDX-License-Identifier: MIT
// The operators of integers and of truth values.
#include <doctest/doctest.h>

#include "lazy/each_operator.hpp"

TEST_CASE("every operator on arrays, views, shared memory and numbers gives what a function gives") {
    each_operator::check_table<int>();
    each_operator::check_table<bool>();
}
