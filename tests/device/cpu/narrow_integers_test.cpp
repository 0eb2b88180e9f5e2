// SPDX-License-Identifier: MIT
// Shifts and quotients of integers in registers against the same of single numbers: of 8 bits all pairs, of others pairs of the edges and of many between.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace {

using namespace croton;

/// Every number of 8 bits; of wider ones the edges, what shifts are apart by, and some between.
template <class T> std::vector<T> numbers() {
    using limits = std::numeric_limits<T>;
    std::vector<T> all;
    if constexpr (sizeof(T) == 1) {
        for (int i = limits::min(); i <= limits::max(); ++i) all.push_back(static_cast<T>(i));
    } else {
        for (int i = -70; i <= 70; ++i) all.push_back(static_cast<T>(i));
        for (int i = 0; i < 8; ++i) all.push_back(static_cast<T>(limits::max() - static_cast<T>(i))), all.push_back(static_cast<T>(limits::min() + static_cast<T>(i)));
        std::uint64_t state = 1;
        for (int i = 0; i < 160; ++i) all.push_back(static_cast<T>((state = state * 6364136223846793005u + 1442695040888963407u) >> (16 + i % 40)));
    }
    return all;
}

template <class T> void all_pairs() {
    const std::vector<T> of = numbers<T>();
    const auto n = static_cast<std::int64_t>(of.size());
    array<T, 1> x(n * n), y(n * n);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            x(i * n + j) = of[static_cast<std::size_t>(i)];
            y(i * n + j) = of[static_cast<std::size_t>(j)];
        }
    auto f = function<cpu>([](vector<T> a, vector<T> b) { return std::tuple(a << b, a >> b, fmod(a, b), a % b, floor_divide(a, b)); });
    const auto [left, right, rest, floored, quotient] = f(x, y);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n * n; ++i) {
        const T a = x(i), b = y(i);
        const bool fine = left(i) == kernel::shifted_left(a, b) && right(i) == kernel::shifted_right(a, b) && rest(i) == kernel::truncated_rest(a, b) &&
                          floored(i) == kernel::floored_rest(a, b) && quotient(i) == kernel::floored_quotient(a, b);
        if (!fine && ++wrong == 1) FAIL_CHECK("of " << +a << " and " << +b << ": " << +left(i) << ' ' << +right(i) << ' ' << +rest(i) << ' ' << +floored(i) << ' ' << +quotient(i));
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("shifts and quotients of int8") { all_pairs<std::int8_t>(); }
TEST_CASE("shifts and quotients of uint8") { all_pairs<std::uint8_t>(); }
TEST_CASE("shifts and quotients of int16") { all_pairs<std::int16_t>(); }
TEST_CASE("shifts and quotients of uint16") { all_pairs<std::uint16_t>(); }
TEST_CASE("shifts and quotients of int32") { all_pairs<std::int32_t>(); }
TEST_CASE("shifts and quotients of uint32") { all_pairs<std::uint32_t>(); }
TEST_CASE("shifts and quotients of int64") { all_pairs<std::int64_t>(); }
TEST_CASE("shifts and quotients of uint64") { all_pairs<std::uint64_t>(); }
