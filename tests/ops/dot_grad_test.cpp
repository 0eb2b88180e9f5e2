// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

const auto a = support::numbers(1).fill<double, 2>({3, 5});
const auto b = support::numbers(2).fill<double, 2>({5, 2});
const auto x = support::numbers(3).fill<double, 1>({5});
const auto y = support::numbers(4).fill<double, 1>({3});

}  // namespace

TEST_CASE("products of matrices") {
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> p, matrix<double> q) {
            return std::tuple(dot(p, q), tanh(dot(p, q)), dot(transpose(q), transpose(p)) * 3);
        },
        placed<double, 2>(a, layout::transposed).get(), placed<double, 2>(b, layout::stepped).get()));
    CHECK_NOTHROW(
        verify_grad([](matrix<double> p) { return std::tuple(dot(p, transpose(p)), dot(transpose(p), p)); }, a));
}

TEST_CASE("products with vectors and scalars") {
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> p, vector<double> u, vector<double> w, scalar<double> s) {
            return std::tuple(dot(p, u), dot(w, p), dot(u, u), dot(s, p), dot(w, dot(p, u)), outer(u, w),
                              exp(dot(p, u) * s));
        },
        a, placed<double, 1>(x, layout::reversed).get(), y, 0.5));
}

TEST_CASE("a layer") {
    CHECK_NOTHROW(
        verify_grad([](matrix<double> in, matrix<double> w, vector<double> c) { return sigmoid(dot(in, w) + c); }, a, b,
                    array<double, 1>{0.5, -0.5}));
}
