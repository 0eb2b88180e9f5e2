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
    check(ROW_1(roll, roll<1>(x, -7)), m, one, empty, no_columns);
    check(ROW_2(roll, roll<0>(x, y)), of(numbers<float>(3, 5), labels(7)), of(numbers<float>(1, 1), labels(7)), of(numbers<float>(0, 5), labels(7)), of(numbers<float>(3, 0), labels(7)));
}

TEST_CASE("integrals, slopes and values between points") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_1(trapezoid, trapezoid(x)), m, one, empty, no_columns);
    check(ROW_1(trapezoid, trapezoid(x, 0.25)), m, one, empty, no_columns);
    check(ROW_2(trapezoid, trapezoid(x, y)), of(numbers<float>(3, 5), numbers<float>(5)), of(numbers<float>(0, 5), numbers<float>(5)), of(numbers<float>(3, 5), numbers<float>(4)));
    check(ROW_1(central_differences, central_differences<1>(x)), m, one, empty, no_columns);
    check(ROW_1(central_differences, central_differences<0>(x, 0.25)), m, one, empty, no_columns);
    check(ROW_2(central_differences, central_differences<1>(x, y)), of(numbers<float>(3, 5), numbers<float>(5)), of(numbers<float>(0, 5), numbers<float>(5)), of(numbers<float>(3, 5), numbers<float>(4)));
    check(ROW_3(interp, interp(x, y, z)), of(numbers<float>(3, 5), numbers<float>(4), numbers<float>(4)), of(numbers<float>(1, 1), numbers<float>(1), numbers<float>(1)), of(numbers<float>(0, 5), numbers<float>(4), numbers<float>(4)), of(numbers<float>(3, 5), numbers<float>(4), numbers<float>(3)),
          of(numbers<float>(3, 5), numbers<float>(0), numbers<float>(0)));
}

TEST_CASE("intervals and members") {
    check(ROW_2(digitize, digitize(x, y)), of(numbers<float>(3, 5), numbers<float>(4)), of(numbers<float>(1, 1), numbers<float>(1)), of(numbers<float>(0, 5), numbers<float>(4)), of(numbers<float>(3, 5), numbers<float>(0)));
    check(ROW_2(digitize, digitize<side::right>(x, y)), of(numbers<int>(3, 5), numbers<int>(4)));
    check(ROW_2(isin, isin(x, y)), of(numbers<float>(3, 5), numbers<float>(2, 2)), of(numbers<float>(1, 1), numbers<float>(1, 1)), of(numbers<float>(0, 5), numbers<float>(2, 2)), of(numbers<float>(3, 5), numbers<float>(0, 2)));
    check(ROW_1(histogram, histogram<4>(x, -1, 2.5)), of(numbers<float>(3, 5)), of(numbers<float>(1, 1)), of(numbers<float>(0, 5)), of(numbers<float>(3, 0)));
    check(ROW_1(histogram, histogram<3>(x, -0.5, 3)), of(numbers<int>(3, 5)));
    check(ROW_2(histogram, histogram<3>(x, y, 3)), of(numbers<float>(3, 5), numbers<float>()), of(numbers<float>(0, 5), numbers<float>()));
}
