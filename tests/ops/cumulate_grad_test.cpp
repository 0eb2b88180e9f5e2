// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

const auto t = support::numbers(4).fill<double, 3>({2, 3, 4});
const auto m = support::numbers(1).fill<double, 2>({4, 3});

}  // namespace

TEST_CASE("first derivatives") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) {
            return std::tuple(cumsum<0>(x), cumsum<1>(x) * x, cumprod<2>(x), cumprod<-2>(x) * x, logcumsumexp<0>(x), logcumsumexp<2>(x * 2));
        },
        placed<double, 3>(t, layout::transposed).get()));
}

TEST_CASE("second derivatives") {
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> x) {
            return std::tuple(grad(sum(sqr(cumsum<0>(x)) * x), x), grad(sum(sqr(cumprod<1>(x))), x), grad(sum(sqr(logcumsumexp<0>(x))), x));
        },
        m));
}

TEST_CASE("a product with zeros has the derivatives of one without") {
    const auto check = [](auto device) {
        using on = decltype(device);
        const auto f = function<on>([](vector<double> x, vector<double> c) {
            auto first = grad(sum(cumprod(x) * c), x);
            return outputs(first, grad(sum(first * c), x));
        });
        const array<double, 1> x{2, 0, 3, 0, 5}, c{1, 10, 100, 1000, 10000};
        // Each product written out.
        const auto g = function<on>([](vector<double> p, vector<double> q, vector<int> index) {
            const auto with = [&](int n) { return prod(where(index < n, p, 1.0)); };
            const auto at = [&](int n) { return sum(where(index == n, q, 0.0)); };
            auto cost = with(1) * at(0) + with(2) * at(1) + with(3) * at(2) + with(4) * at(3) + with(5) * at(4);
            auto first = grad(cost, p);
            return outputs(first, grad(sum(first * q), p));
        });
        const auto [first, second] = f(x, c);
        const auto [expected_first, expected_second] = g(x, c, array<int, 1>{0, 1, 2, 3, 4});
        CHECK(first == array<double, 1>{1 + 0, 2 * 10 + 6 * 100, 0, 0, 0});
        CHECK(first == expected_first);
        CHECK(second == expected_second);
    };
    check(cpu());
    check(reference());
}

TEST_CASE("logcumsumexp has derivatives also far from 0 and at infinities") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto f = function<cpu>([](vector<double> x) { return grad(sum(logcumsumexp(x)), x); });
    const auto g = f(array<double, 1>{800, -800, 800});
    CHECK(g(0) == doctest::Approx(2.5));
    CHECK(g(1) == 0);
    CHECK(g(2) == doctest::Approx(0.5));
    const auto h = f(array<double, 1>{-infinity, 1, 1});
    CHECK(h(1) == doctest::Approx(1.5));
    CHECK(h(2) == doctest::Approx(0.5));
    CHECK(h(0) == h(0));
}
