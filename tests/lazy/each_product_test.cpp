// SPDX-License-Identifier: MIT
// Products on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("products of matrices") {
    const auto two = of(numbers<float>(3, 5), numbers<float>(5, 2)), one = of(numbers<float>(1, 1), numbers<float>(1, 1)), no_rows = of(numbers<float>(0, 5), numbers<float>(5, 2)), no_sum = of(numbers<float>(3, 0), numbers<float>(0, 2)), wrong = of(numbers<float>(3, 5), numbers<float>(4, 2));
    check(ROW_2(dot, dot(x, y)), two, one, no_rows, no_sum, wrong);
    check(ROW_2(matmul, matmul(x, y)), two, one, no_rows, no_sum, wrong);
    check(ROW_2(tensordot, tensordot<1>(x, y)), two, one, no_rows, no_sum, wrong);
    check(ROW_2(einsum, einsum<"ij,jk->ki">(x, y)), two, one, no_rows, no_sum, wrong);
    check(ROW_2(multi_dot, multi_dot(x, y, transpose(y))), two, one, no_rows, no_sum, wrong);
    check(ROW_2(inner, inner(x, transpose(y))), two, one, no_rows, no_sum, wrong);
    check(ROW_2(tensordot, tensordot(x, y, on_axes<1>, on_axes<0>)), two, one, no_rows, no_sum, wrong);
}

TEST_CASE("products of others") {
    check(ROW_2(matmul, matmul(x, y)), of(numbers<float>(2, 3, 4), numbers<float>(4, 2)), of(numbers<float>(1, 1, 1), numbers<float>(1, 1)), of(numbers<float>(0, 3, 4), numbers<float>(4, 2)), of(numbers<float>(2, 3, 0), numbers<float>(0, 2)));
    check(ROW_2(dot, dot(x, y)), of(numbers<float>(3, 5), numbers<float>(5)), of(numbers<float>(1, 1), numbers<float>(1)), of(numbers<float>(0, 5), numbers<float>(5)), of(numbers<float>(3, 0), numbers<float>(0)));
    check(ROW_1(dot, dot(2, x)), of(numbers<float>(3, 5)), of(numbers<float>(0, 5)));
    check(ROW_2(outer, outer(x, y)), of(numbers<float>(3), numbers<float>(5)), of(numbers<float>(1), numbers<float>(1)), of(numbers<float>(0), numbers<float>(5)), of(numbers<float>(3), numbers<float>(0)));
    check(ROW_2(cross, cross(x, y)), of(numbers<float>(5, 3), numbers<float>(3)), of(numbers<float>(1, 3), numbers<float>(3)), of(numbers<float>(0, 3), numbers<float>(3)), of(numbers<float>(5, 2), numbers<float>(3)));
    check(ROW_2(kron, kron(x, y)), of(numbers<float>(3, 2), numbers<float>(2, 5)), of(numbers<float>(1, 1), numbers<float>(1, 1)), of(numbers<float>(0, 2), numbers<float>(2, 5)));
    check(ROW_2(vdot, vdot(x, y)), of(numbers<float>(3, 4), numbers<float>(6, 2)), of(numbers<float>(1, 1), numbers<float>(1, 1)), of(numbers<float>(0, 4), numbers<float>(6, 0)), of(numbers<float>(3, 4), numbers<float>(3, 3)));
    check(ROW_1(matrix_power, matrix_power<3>(x)), of(numbers<float>(3, 3)), of(numbers<float>(1, 1)), of(numbers<float>(0, 0)), of(numbers<float>(2, 3)));
    check(ROW_1(einsum, einsum<"ii">(x)), of(numbers<float>(3, 3)), of(numbers<float>(1, 1)), of(numbers<float>(0, 0)), of(numbers<float>(2, 3)));
    check(ROW_2(dot, dot(x, y)), of(numbers<int>(3, 5), numbers<int>(5, 2)), of(numbers<int>(3, 0), numbers<int>(0, 2)));
}
