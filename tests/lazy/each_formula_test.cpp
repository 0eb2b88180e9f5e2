// SPDX-License-Identifier: MIT
// Functions of elements that are formulas of operators, on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("activations") {
    const auto m = of(numbers<float>(3, 5)), one = of(numbers<float>(1, 1)), empty = of(numbers<float>(0, 5));
    check(ROW_1(silu, silu(x)), m, one, empty);
    check(ROW_1(mish, mish(x)), m, one, empty);
    check(ROW_1(gelu, gelu(x, set<approximate::tanh>(x))), m, one, empty);
    check(ROW_1(leaky_relu, leaky_relu(x, 0.25)), m, one, empty);
    check(ROW_1(prelu, prelu(x, 0.25)), m, one, empty);
    check(ROW_1(elu, elu(x, 0.5)), m, one, empty);
    check(ROW_1(celu, celu(x, 2)), m, one, empty);
    check(ROW_1(selu, selu(x)), m, one, empty);
    check(ROW_1(hard_sigmoid, hard_sigmoid(x)), m, one, empty);
    check(ROW_1(hard_swish, hard_swish(x)), m, one, empty);
    check(ROW_1(rsqrt, rsqrt(x)), m, one, empty);
    check(ROW_1(reciprocal, reciprocal(x)), m, one, empty);
    check(ROW_1(degrees, degrees(x)), m, one, empty);
    check(ROW_1(radians, radians(x)), m, one, empty);
    check(ROW_1(isnan, isnan(x)), m, one, empty);
    check(ROW_1(isinf, isinf(x)), m, one, empty);
    check(ROW_1(isfinite, isfinite(x)), m, one, empty);
    check(ROW_1(nan_to_num, nan_to_num(x, set<2>(x))), m, one, empty);
}
