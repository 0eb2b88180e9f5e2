// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;

namespace {

const auto m = support::numbers(1).fill<double, 2>({3, 5});
const auto v = support::numbers(2).fill<double, 1>({5});
const auto u = support::numbers(3).fill<double, 1>({3});
const auto t = support::numbers(4).fill<double, 3>({2, 3, 5});

}  // namespace

TEST_CASE("what was repeated gets the sum of its cotangents") {
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> a, vector<double> b, vector<double> c, scalar<double> s) {
            return std::tuple(a * b + s, newaxis<1>(c) * b, a / (2 + sqr(newaxis<1>(c))) - s * b);
        },
        m, v, u, 0.5));
    CHECK_NOTHROW(verify_grad([](tensor<double, dynamic, dynamic, dynamic> a, matrix<double> b,
                                 vector<double> c) { return a * b * c + newaxis<0>(b); },
                              t, support::placed<double, 2>(m, layout::transposed).get(),
                              support::placed<double, 1>(v, layout::reversed).get()));
}

TEST_CASE("extents of 1") {
    CHECK_NOTHROW(verify_grad([](matrix<double, dynamic, 1> a, matrix<double, 1, dynamic> b,
                                 tensor<double, 2, 1, 1> c) { return tanh(a * b + c) * a; },
                              array<double, 2>{{0.5}, {1}, {-1}}, array<double, 2>{{0.25, -0.5}},
                              array<double, 3>{{{1}}, {{-1}}}));
    CHECK_NOTHROW(verify_grad([](matrix<double> a) { return a / sum<1>(sqr(a), keepdims) - mean<0>(a, keepdims); }, m));
}

TEST_CASE("no axis, one element and none") {
    CHECK_NOTHROW(verify_grad([](scalar<double> a, scalar<double> b) { return a * exp(b) / (1 + a); }, 0.5, 0.25));
    const auto scaled = [](matrix<double> a, vector<double> b) { return a * tanh(b); };
    CHECK_NOTHROW(verify_grad(scaled, array<double, 2>{{0.5}}, array<double, 1>{0.25}));
    CHECK_NOTHROW(verify_grad(scaled, array<double, 2>(0, 2), array<double, 1>{0.25, 1}));
    CHECK_NOTHROW(verify_grad(scaled, array<double, 2>(2, 0), array<double, 1>(0)));
}
