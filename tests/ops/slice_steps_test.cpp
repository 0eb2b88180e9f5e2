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
