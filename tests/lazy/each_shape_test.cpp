// SPDX-License-Identifier: MIT
// Functions of the shape on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("axes and extents") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_1(transpose, transpose(x)), m, one, empty, no_columns);
    check(ROW_1(swapaxes, swapaxes<0, 1>(x)), m, one, empty, no_columns);
    check(ROW_1(moveaxis, moveaxis<0, 1>(x)), m, one, empty, no_columns);
    check(ROW_1(newaxis, newaxis<1>(x)), m, one, empty, no_columns);
    check(ROW_1(expand_dims, expand_dims<0>(x)), m, one, empty, no_columns);
    check(ROW_1(squeeze, squeeze<0>(newaxis<0>(x))), m, one, empty, no_columns);
    check(ROW_1(flatten, flatten(x)), m, one, empty, no_columns);
    check(ROW_1(broadcast_to, broadcast_to<2, 3, 5>(x)), m, one, empty, no_columns);
    check(ROW_1(tile, tile<2, 3>(x)), m, one, empty, no_columns);
    check(ROW_1(repeat, repeat<1, 3>(x)), m, one, empty, no_columns);
    check(ROW_1(reshape, reshape<3, -1>(x)), m, one, of(numbers<float>(0, 3)), no_columns);
    check(ROW_1(split, split<1, 2>(x)), of(numbers<float>(3, 4)), one, of(numbers<float>(0, 4)), no_columns);
}
