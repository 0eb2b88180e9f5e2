// SPDX-License-Identifier: MIT
// Sums along rows of any length, one for each row, and those that go on from row to row in registers.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

using namespace croton;

namespace {

/// Whole numbers, whose sums are exact.
float whole(std::int64_t i, std::int64_t j) { return static_cast<float>((i * 7 + j * 5) % 9 - 4); }

}  // namespace

TEST_CASE("sums of rows, and sums that go on from row to row, take each element once") {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) {
        return std::tuple(sum<1>(x * x), max<1>(x), sum(x * v), sum<1>(x * v) + sum<1>(x));
    });
    for (const std::int64_t n : {1, 2, 3, 7, 8, 15, 16, 17, 31, 40, 63, 64, 65, 79, 127, 200, 1000, 8191, 8200})
        for (const std::int64_t rows : {1, 2, 3, 17, 700}) {
            if (n * rows > 200'000) continue;
            CAPTURE(n);
            CAPTURE(rows);
            array<float, 2> x(rows, n);
            array<float, 1> v(n);
            for (std::int64_t j = 0; j < n; ++j) v(j) = whole(3, j);
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < n; ++j) x(i, j) = whole(i, j);
            const auto [squares, most, all, both] = f(x, v);
            float total = 0;
            bool same = true;
            for (std::int64_t i = 0; i < rows; ++i) {
                float square = 0, largest = -std::numeric_limits<float>::infinity(), product = 0, plain = 0;
                for (std::int64_t j = 0; j < n; ++j) {
                    square += x(i, j) * x(i, j);
                    largest = std::max(largest, x(i, j));
                    product += x(i, j) * v(j);
                    plain += x(i, j);
                }
                total += product;
                same = same && squares(i) == square && most(i) == largest && both(i) == product + plain;
            }
            CHECK(same);
            CHECK(all() == total);
        }
}
