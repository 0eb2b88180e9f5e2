// SPDX-License-Identifier: MIT
// Parts of matrices, arrays like others, and arrays that are joined, where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("parts of matrices, and arrays like others") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_1(rot90, rot90<1>(x)), m, one, empty, no_columns);
    check(ROW_1(tril, tril(x)), m, one, empty, no_columns);
    check(ROW_1(triu, triu<1>(x)), m, one, empty, no_columns);
    check(ROW_1(diagonal, diagonal<1>(x)), m, one, empty, no_columns);
    check(ROW_1(diag, diag<-1>(x)), m, one, empty, no_columns);
    check(ROW_1(diag, diag<1>(x)), of(numbers<float>(3)), of(numbers<float>(1)), of(numbers<float>(0)));
    check(ROW_1(trace, trace(x)), m, one, empty, no_columns);
    check(ROW_1(full_like, full_like(x, 2.5)), m, one, empty, no_columns);
    check(ROW_1(ones_like, ones_like(x)), m, one, empty, no_columns);
    check(ROW_1(zeros_like, zeros_like(x)), m, one, empty, no_columns);
    check(ROW_1(cast, cast<int>(x)), m, one, empty, no_columns);
    check(ROW_1(pad, pad(x, set<2>(x))), m, one, empty, no_columns);
    check(ROW_1(pad, pad(x, set<1>(x), set<pad_mode::edge>(x))), m, one, empty, no_columns);
    check(ROW_1(pad, pad(x, set<pad_widths{{1, 0}, {2, 3}}>(x), set<4>(x))), m, one, empty, no_columns);
}

TEST_CASE("several arrays") {
    const auto two = of(numbers<float>(3, 5), numbers<float>(3, 5)), one_each = of(numbers<float>(1, 1), numbers<float>(1, 1)), none_each = of(numbers<float>(0, 5), numbers<float>(0, 5)), no_columns_each = of(numbers<float>(3, 0), numbers<float>(3, 0));
    check(ROW_2(concatenate, concatenate<1>(x, y)), two, one_each, none_each, no_columns_each);
    check(ROW_2(stack, stack<2>(x, y)), two, one_each, none_each, no_columns_each);
    check(ROW_2(meshgrid, meshgrid(x, y)), of(numbers<float>(3), numbers<float>(4)), of(numbers<float>(1), numbers<float>(1)), of(numbers<float>(0), numbers<float>(4)));
}
