// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

const auto a2 = support::numbers(1).fill<double, 2>({3, 4}), b2 = support::numbers(2).fill<double, 2>({4, 2});
const auto a3 = support::numbers(3).fill<double, 3>({2, 3, 4}), b3 = support::numbers(4).fill<double, 3>({2, 4, 2});
const auto x = support::numbers(5).fill<double, 1>({4});

using rank3 = tensor<double, dynamic, dynamic, dynamic>;

}  // namespace

TEST_CASE("both factors of a batch") {
    CHECK_NOTHROW(verify_grad([](rank3 a, rank3 b) { return std::tuple(matmul(a, b), tanh(transpose<0, 2, 1>(matmul(a, b))) * 3); },
                              placed<double, 3>(a3, layout::transposed).get(), placed<double, 3>(b3, layout::stepped).get()));
    CHECK_NOTHROW(verify_grad([](rank3 a) { return matmul(a, transpose<0, 2, 1>(a)); }, a3));
}

TEST_CASE("a matrix or a vector for all of a batch") {
    CHECK_NOTHROW(verify_grad(
        [](rank3 a, rank3 b, matrix<double> c, matrix<double> d) {
            return std::tuple(matmul(a, d), sigmoid(matmul(a, d)), matmul(c, b), matmul(transpose<0, 2, 1>(b), transpose(c)),
                              matmul(transpose<0, 2, 1>(b), d));
        },
        placed<double, 3>(a3, layout::reversed).get(), b3, a2, placed<double, 2>(b2, layout::transposed).get()));
    CHECK_NOTHROW(verify_grad([](rank3 a, rank3 b, vector<double> v) { return std::tuple(matmul(a, v), tanh(matmul(v, b)), matmul(v, transpose<0, 2, 1>(a))); }, a3, b3, x));
}

TEST_CASE("extents of 1 are summed over") {
    const auto p = support::numbers(6).fill<double, 4>({2, 1, 3, 2}), q = support::numbers(7).fill<double, 4>({1, 3, 2, 2});
    const auto r = support::numbers(8).fill<double, 3>({1, 2, 3}), column = support::numbers(9).fill<double, 3>({3, 2, 1});
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, 1, dynamic, dynamic> a, tensor<double, 1, dynamic, dynamic, dynamic> b, tensor<double, 1, dynamic, dynamic> c,
           tensor<double, dynamic, dynamic, 1> d) { return std::tuple(matmul(a, b), tanh(matmul(a, c)), matmul(a, d), matmul(c, matmul(a, d))); },
        p, q, r, column));
}

TEST_CASE("twice") {
    CHECK_NOTHROW(verify_grad(
        [](rank3 a, matrix<double> d) {
            auto [ga, gd] = grad(sum(tanh(matmul(a, d))), a, d);
            return std::tuple(ga, gd);
        },
        a3, b2));
}

TEST_CASE("attention") {
    const auto q = support::numbers(10).fill<double, 3>({2, 3, 4}), k = support::numbers(11).fill<double, 3>({2, 5, 4}), v = support::numbers(12).fill<double, 3>({2, 5, 3});
    CHECK_NOTHROW(verify_grad([](rank3 query, rank3 key, rank3 value) { return matmul(softmax(matmul(query, transpose<0, 2, 1>(key)) * 0.5), value); }, q, k, v));
}
