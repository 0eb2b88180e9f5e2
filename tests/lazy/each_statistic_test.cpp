// SPDX-License-Identifier: MIT
// Statistics on arrays where they stand: with weights, without NaN, by order.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("means and covariances") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_2(average, average<1>(x, y)), of(numbers<float>(3, 5), numbers<float>(5)), of(numbers<float>(1, 1), numbers<float>(1)), of(numbers<float>(0, 5), numbers<float>(5)));
    check(ROW_1(cov, cov(x)), m, one, no_columns);
    check(ROW_2(corrcoef, corrcoef(x, y)), of(numbers<float>(7), eval(sqr(numbers<float>(7)))), of(numbers<float>(1), numbers<float>(1)), of(numbers<float>(0), numbers<float>(0)));
}

TEST_CASE("without NaN") {
    const auto with = [](std::int64_t rows, std::int64_t columns) {
        auto x = numbers<float>(rows, columns);
        for (std::int64_t i = 1; i < x.size(); i += 4) x.data()[i] = NAN;
        return of(x);
    };
    const auto m = with(3, 5), one = with(1, 1), empty = with(0, 5), no_columns = with(3, 0);
    check(ROW_1(nansum, nansum<1>(x)), m, one, empty, no_columns);
    check(ROW_1(nanprod, nanprod<0>(x)), m, one, empty, no_columns);
    check(ROW_1(nanmean, nanmean<1>(x)), m, one, empty, no_columns);
    check(ROW_1(nanvar, nanvar<0>(x)), m, one, empty, no_columns);
    check(ROW_1(nanstddev, nanstddev(x)), m, one, empty, no_columns);
    check(ROW_1(nanargmax, nanargmax<1>(x)), m, one, empty, no_columns);
    check(ROW_1(nanargmin, nanargmin<1>(x)), m, one, empty, no_columns);
    check(ROW_1(nanmax, nanmax<0>(x)), m, one, empty, no_columns);
    check(ROW_1(nanmin, nanmin<1>(x, keepdims)), m, one, empty, no_columns);
    check(ROW_1(nanmedian, nanmedian<1>(x)), m, one, empty, no_columns);
    check(ROW_1(nanquantile, nanquantile<1>(x, 0.25)), m, one, empty, no_columns);
    check(ROW_1(nanpercentile, nanpercentile<0>(x, 75)), m, one, empty, no_columns);
}

TEST_CASE("by order") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_1(median, median<1>(x)), m, one, empty, no_columns);
    check(ROW_1(quantile, quantile<1>(x, 0.25)), m, one, empty, no_columns);
    check(ROW_1(percentile, percentile<0>(x, 75, keepdims)), m, one, empty, no_columns);
}
