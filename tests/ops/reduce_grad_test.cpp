// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;

namespace {

const auto t = support::numbers(4).fill<double, 3>({2, 3, 5});
const auto m = support::numbers(1).fill<double, 2>({3, 5});

}  // namespace

TEST_CASE("sums and means over any axes") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) {
            return std::tuple(sum<0>(x * x), sum<1, 2>(tanh(x)), mean<0, 2>(x), mean(exp(x)), sum<1>(x, keepdims) * x);
        },
        t));
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> x) { return std::tuple(sum<0>(-x), -sum<1>(x * 2), sum(-(x * x)), mean<1>(-3 * x / 7)); },
        support::placed<double, 2>(m, layout::reversed).get()));
}

TEST_CASE("extremes") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) {
            return std::tuple(max<0>(x), min<1, 2>(x), max(x * x), x - max<2>(x, keepdims));
        },
        t));
}

TEST_CASE("products, also with zeros") {
    CHECK_NOTHROW(verify_grad([](matrix<double> x) { return std::tuple(prod<0>(x), prod<1>(x), prod(x)); }, m));
    const array<double, 2> zeros{{1, 0, 3}, {0, 2, 0}, {4, 5, 6}};
    CHECK_NOTHROW(verify_grad([](matrix<double> x) { return std::tuple(prod<0>(x), prod<1>(x), prod(x)); }, zeros));
}

TEST_CASE("logsumexp") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) {
            return std::tuple(logsumexp<0>(x), logsumexp<1, 2>(x), logsumexp(x), logsumexp<1>(x, keepdims) * x);
        },
        t));
}

TEST_CASE("equal largest elements share the cotangent") {
    auto f = function<cpu>(
        [](matrix<float> x) { return std::tuple(grad(sum(max<1>(x)), x), grad(sum(min<0>(x)), x), grad(max(x), x)); });
    const auto [of_max, of_min, of_all] = f(array<float, 2>{{1, 3, 3, 2}, {3, 3, 3, 3}});
    CHECK(of_max == array<float, 2>{{0, 0.5f, 0.5f, 0}, {0.25f, 0.25f, 0.25f, 0.25f}});
    CHECK(of_min == array<float, 2>{{1, 0.5f, 0.5f, 1}, {0, 0.5f, 0.5f, 0}});
    CHECK(of_all(0, 1) == doctest::Approx(1.0 / 6));
    CHECK(of_all(0, 0) == 0);
}

TEST_CASE("equal arguments of maximum and minimum share it too; relu, abs and sign at 0") {
    auto f = function<cpu>([](vector<float> x, vector<float> y) {
        return std::tuple(grad(sum(maximum(x, y)), x), grad(sum(minimum(x, y)), y), grad(sum(relu(x)), x),
                          grad(sum(abs(x)), x), grad(sum(x * sign(x)), x), grad(sum(clip(x, -1, 1)), x),
                          grad(sum(sign(x)), x));
    });
    const auto [larger, smaller, rectified, absolute, signs, held, flat] =
        f(array<float, 1>{0, 1, -2, 2}, array<float, 1>{0, 3, -3, 2});
    CHECK(larger == array<float, 1>{0.5f, 0, 1, 0.5f});
    CHECK(smaller == array<float, 1>{0.5f, 0, 1, 0.5f});
    CHECK(rectified == array<float, 1>{0, 1, 0, 1});
    CHECK(absolute == array<float, 1>{0, 1, -1, 1});
    CHECK(signs == array<float, 1>{0, 1, -1, 1});
    CHECK(held == array<float, 1>{1, 1, 0, 0});
    CHECK(flat == array<float, 1>{0, 0, 0, 0});
}
