// SPDX-License-Identifier: MIT
// Functions along an axis on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("along an axis") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_1(cumsum, cumsum<1>(x)), m, one, empty, no_columns);
    check(ROW_1(cumprod, cumprod<0>(x)), m, one, empty, no_columns);
    check(ROW_1(logcumsumexp, logcumsumexp<1>(x)), m, one, empty, no_columns);
    check(ROW_1(cummax, cummax<1>(x)), m, one, empty, no_columns);
    check(ROW_1(cummin, cummin<0>(x)), m, one, empty, no_columns);
    check(ROW_1(cumsum, cumsum(x)), m, one, empty, no_columns);
    check(ROW_1(sort, sort<1>(x)), m, one, empty, no_columns);
    check(ROW_1(argsort, argsort<0>(x)), m, one, empty, no_columns);
    check(ROW_1(topk, topk<2, 1>(x)), m, one, empty, no_columns);
    check(ROW_1(diff, diff<1>(x)), m, one, empty, no_columns);
    check(ROW_1(flip, flip<1>(x)), m, one, empty, no_columns);
    check(ROW_1(roll, roll<1>(x, set<2>(x))), m, one, empty, no_columns);
}
