// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

const auto t = support::numbers(4).fill<double, 3>({2, 3, 5});
const auto m = support::numbers(1).fill<double, 2>({3, 5});
const auto v = support::numbers(2).fill<double, 1>({5});

}  // namespace

TEST_CASE("transposed, with new axes and without old ones") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) {
            return std::tuple(transpose(x), sqr(transpose<1, 2, 0>(x)), newaxis<1>(x) * x);
        },
        placed<double, 3>(t, layout::transposed).get()));
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, 1, dynamic, 1> x, vector<double> y) {
            return std::tuple(squeeze<0>(x) * y, exp(squeeze<0, 2>(x)), newaxis<0>(y) - transpose(squeeze<2>(x)));
        },
        array<double, 3>{{{0.5}, {1}, {-1}}}, array<double, 1>{1, 2, 3}));
}

TEST_CASE("reshaped") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dim("a"), dim("b"), dynamic> x) {
            return std::tuple(reshape<dynamic, dim("b")>(x * x), tanh(flatten(x)), reshape<2, dynamic>(exp(x)),
                              flatten(transpose(x)) * flatten(x));
        },
        placed<double, 3>(t, layout::reversed).get()));
}

TEST_CASE("repeated") {
    CHECK_NOTHROW(verify_grad(
        [](vector<double, dim("m")> x, scalar<double> s, matrix<double, dim("n"), dim("m")> y) {
            return std::tuple(broadcast_to<2, dim("n"), dim("m")>(x) * y, broadcast_to<dim("n")>(s),
                              exp(broadcast_to<dim("n"), dim("m")>(mean<1>(y, keepdims))));
        },
        placed<double, 1>(v, layout::stepped).get(), 0.5, m));
}
