// SPDX-License-Identifier: MIT
// Reductions on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("reductions of numbers") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5)), no_columns = of(numbers<float>(3, 0));
    check(ROW_1(sum, sum<1>(x)), m, one, empty, no_columns);
    check(ROW_1(prod, prod<0>(x)), m, one, empty, no_columns);
    check(ROW_1(max, max<1>(x)), m, one, empty, no_columns);
    check(ROW_1(min, min<0>(x, keepdims)), m, one, empty, no_columns);
    check(ROW_1(mean, mean(x)), m, one, empty, no_columns);
    check(ROW_1(argmax, argmax<1>(x)), m, one, empty, no_columns);
    check(ROW_1(argmin, argmin<0>(x, keepdims)), m, one, empty, no_columns);
    check(ROW_1(var, var<1>(x, set<ddof(1)>(x))), m, one, empty, no_columns);
    check(ROW_1(stddev, stddev<0>(x)), m, one, empty, no_columns);
    check(ROW_1(count_nonzero, count_nonzero<0>(x)), m, one, empty, no_columns);
    check(ROW_1(ptp, ptp<1>(x)), m, one, empty, no_columns);
    check(ROW_1(norm, norm<1>(x, set<1>(x))), m, one, empty, no_columns);
    check(ROW_1(logsumexp, logsumexp<0>(x)), m, one, empty, no_columns);
    check(ROW_1(softmax, softmax<1>(x)), m, one, empty, no_columns);
    check(ROW_1(log_softmax, log_softmax<0>(x)), m, one, empty, no_columns);
}

TEST_CASE("reductions of truth values") {
    const auto some = [](std::int64_t rows, std::int64_t columns) { return of(eval(labels(3, rows, columns) < 2)); };
    check(ROW_1(all, all<1>(x)), some(3, 5), some(1, 1), some(0, 5), some(3, 0));
    check(ROW_1(any, any<0>(x)), some(3, 5), some(1, 1), some(0, 5), some(3, 0));
}
