// SPDX-License-Identifier: MIT
// Linear algebra on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("equations") {
    const auto a = [](std::int64_t n) {
        auto x = numbers<double>(n, n);
        for (std::int64_t i = 0; i < n; ++i) x(i, i) += 20;
        return x;
    };
    const auto symmetric = [&](std::int64_t n) { return of(eval(a(n) + transpose(a(n)))); };
    const auto of_n = of(a(4)), one = of(a(1)), empty = of(a(0)), wrong = of(numbers<double>(2, 3));
    check(ROW_1(cholesky, cholesky(x)), symmetric(4), symmetric(1), symmetric(0), wrong, of(eval(-a(3))));
    check(ROW_1(inv, inv(x)), of_n, one, empty, wrong);
    check(ROW_1(det, det(x)), of_n, one, empty, wrong);
    check(ROW_1(slogdet, slogdet(x)), of_n, one, empty, wrong);
    const auto equations = of(a(4), numbers<double>(4, 2)), one_equation = of(a(1), numbers<double>(1, 1)), no_equations = of(a(0), numbers<double>(0, 2)), no_sides = of(a(4), numbers<double>(4, 0)), unlike = of(a(4), numbers<double>(3, 2));
    check(ROW_2(solve, solve(x, y)), equations, one_equation, no_equations, no_sides, unlike);
    check(ROW_2(solve_triangular, solve_triangular(x, y, set<triangular_options{.lower = true}>(x))), equations, one_equation, no_equations, no_sides, unlike);
    check(ROW_2(cho_solve, cho_solve(x, y)), equations, one_equation, no_equations, no_sides, unlike);
    check(ROW_2(solve, solve(x, y)), of(a(4), numbers<double>(4)), of(a(0), numbers<double>(0)));
}

TEST_CASE("decompositions") {
    const auto a = [](std::int64_t n) {
        auto x = numbers<double>(n, n);
        for (std::int64_t i = 0; i < n; ++i) x(i, i) += 20;
        return x;
    };
    const auto symmetric = [&](std::int64_t n) { return of(eval(a(n) + transpose(a(n)))); };
    const auto tall = of(eval(numbers<double>(5, 3) + sqr(numbers<double>(5, 3)))), wide = of(eval(transpose(std::get<0>(tall)))), one = of(numbers<double>(1, 1)), no_rows = of(numbers<double>(0, 3)), no_columns = of(numbers<double>(3, 0));
    check<false>(ROW_1(qr, qr(x)), tall, wide, one, no_rows, no_columns);
    check<false>(ROW_1(svd, svd(x)), tall, wide, one, no_rows, no_columns);
    check<false>(ROW_1(eigh, eigh(x)), symmetric(4), symmetric(1), symmetric(0));
    check(ROW_1(pinv, pinv(x)), tall, wide, one, no_rows, no_columns);
    check(ROW_1(matrix_rank, matrix_rank(x)), tall, wide, one, no_rows, no_columns);
    check(ROW_1(cond, cond(x)), tall, wide, one, no_rows, no_columns);
    check(ROW_2(lstsq, lstsq(x, y)), of(std::get<0>(tall), numbers<double>(5)), of(numbers<double>(1, 1), numbers<double>(1)), of(numbers<double>(0, 3), numbers<double>(0)), of(numbers<double>(3, 0), numbers<double>(3)));
}
