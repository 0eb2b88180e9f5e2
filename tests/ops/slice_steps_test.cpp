// SPDX-License-Identifier: MIT
// The derivative of slices with steps where no axis is left to lay their gaps along.
#include <doctest/doctest.h>

#include "ops/support.hpp"

using namespace croton;

TEST_CASE("slices with a step of arrays of eight axes") {
    const auto f = function<cpu>([](tensor<double, 1, dynamic, 2, dynamic, 1, 1, 2, dynamic> x) {
        const auto part = x(slice(), slice(none, none, -2), slice(), slice(1, none, 2), ellipsis, slice(-1, none, -3));
        return outputs(grad(sum(sqr(part)), x), sum(part));
    });
    for (const auto& [a, b, c] : {extents_of<3>{3, 4, 5}, {1, 2, 1}, {4, 1, 7}, {0, 3, 2}}) {
        support::numbers numbers(3);
        const auto x = numbers.fill<double, 8>({1, a, 2, b, 1, 1, 2, c});
        array<double, 8> want(x.extents());
        for (std::int64_t i = a - 1; i >= 0; i -= 2)
            for (std::int64_t j = 0; j < 2; ++j)
                for (std::int64_t k = 1; k < b; k += 2)
                    for (std::int64_t l = 0; l < 2; ++l)
                        for (std::int64_t m = c - 1; m >= 0; m -= 3) want(0, i, j, k, 0, 0, l, m) = 2 * x(0, i, j, k, 0, 0, l, m);
        const auto [slope, total] = f(x);
        CHECK(slope == want);
    }
}

TEST_CASE_TEMPLATE("runs with a step, of any length", T, float, double) {
    const auto f = function<cpu>([](vector<T> x) {
        return outputs(x(slice(none, none, 2)) + T(1), x(slice(none, none, -1)) + T(1), x(slice(none, none, -3)) + T(1));
    });
    const auto check = [&](std::int64_t n) {
        array<T, 1> x(n);
        for (std::int64_t i = 0; i < n; ++i) x(i) = static_cast<T>(i);
        const auto [second, flipped, third] = f(x);
        bool right = second.extent(0) == (n + 1) / 2 && third.extent(0) == (n + 2) / 3;
        for (std::int64_t i = 0; right && i < second.extent(0); ++i) right = second(i) == static_cast<T>(2 * i + 1);
        for (std::int64_t i = 0; right && i < n; ++i) right = flipped(i) == static_cast<T>(n - i);
        for (std::int64_t i = 0; right && i < third.extent(0); ++i) right = third(i) == static_cast<T>(n - 3 * i);
        CAPTURE(n);
        CHECK(right);
    };
    for (std::int64_t n = 0; n < 150; ++n) check(n);
    for (const std::int64_t n : {2047, 2048, 2049, 6144, 10001, 20000}) check(n);
}
