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

/// Beside each multiple of a divisor a quotient changes: where a ratio loses too much, it shows there first. Numbers of up to `digits` bits, so that registers
/// hold small ones alone, and some that go beyond.
template <class T> void beside_multiples(int digits, T divisor, std::int64_t& wrong) {
    using U = std::make_unsigned_t<T>;
    constexpr std::int64_t n = 3000;
    array<T, 1> x(n), y(n);
    std::uint64_t state = static_cast<std::uint64_t>(digits);
    const auto draw = [&](int bits) {
        const std::uint64_t most = std::uint64_t{1} << (bits - 1);
        return most | ((state = state * 6364136223846793005u + 1442695040888963407u) >> (64 - bits));
    };
    for (std::int64_t i = 0; i < n; ++i) {
        const int bits = 1 + static_cast<int>(i) % (digits - 1);
        const U d = divisor != 0 ? static_cast<U>(divisor) : static_cast<U>(draw(bits));
        U multiple = static_cast<U>(draw(digits) / (divisor != 0 ? 1 : d) * d);
        multiple = static_cast<U>(multiple + static_cast<U>(i / 2 % 3) - 1u);
        const bool negates = std::is_signed_v<T> && i % 4 < 2, turns = std::is_signed_v<T> && divisor == 0 && i % 7 < 3;
        x(i) = static_cast<T>(negates ? U(0) - multiple : multiple);
        y(i) = static_cast<T>(turns ? U(0) - d : d);
    }
    auto f = function<cpu>([](vector<T> a, vector<T> b) { return std::tuple(fmod(a, b), a % b, floor_divide(a, b)); });
    auto same = function<cpu>([](vector<T> a, scalar<T> b) { return std::tuple(fmod(a, b), a % b, floor_divide(a, b)); });
    const auto [rest, floored, quotient] = divisor != 0 ? same(x, divisor) : f(x, y);
    for (std::int64_t i = 0; i < n; ++i) {
        const bool fine = rest(i) == kernel::truncated_rest(x(i), y(i)) && floored(i) == kernel::floored_rest(x(i), y(i)) && quotient(i) == kernel::floored_quotient(x(i), y(i));
        if (!fine && ++wrong == 1) FAIL_CHECK("of " << +x(i) << " and " << +y(i) << ": " << +rest(i) << ' ' << +floored(i) << ' ' << +quotient(i));
    }
}
template <class T> void all_multiples() {
    std::int64_t wrong = 0;
    for (int digits = 8; digits <= std::numeric_limits<T>::digits; ++digits) {
        beside_multiples<T>(digits, T(0), wrong);
        for (const int divisor : {1, 2, 3, 7, 100}) beside_multiples<T>(digits, static_cast<T>(divisor), wrong);
        if constexpr (std::is_signed_v<T>)
            for (const int divisor : {-1, -7}) beside_multiples<T>(digits, static_cast<T>(divisor), wrong);
        beside_multiples<T>(digits, std::numeric_limits<T>::max(), wrong);
        beside_multiples<T>(digits, std::numeric_limits<T>::min(), wrong);
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

TEST_CASE("quotients beside whole numbers") {
    all_multiples<std::int16_t>();
    all_multiples<std::uint16_t>();
    all_multiples<std::int32_t>();
    all_multiples<std::uint32_t>();
    all_multiples<std::int64_t>();
    all_multiples<std::uint64_t>();
}

TEST_CASE("a rest by 0 is 0, and lowest by -1 is lowest") {
    const auto f = function<cpu>([](vector<std::int32_t> x, scalar<std::int32_t> by) { return std::tuple(x % by, floor_divide(x, by)); });
    const array<std::int32_t, 1> x{std::numeric_limits<std::int32_t>::min(), -1, 0, 1, std::numeric_limits<std::int32_t>::max()};
    const auto [rest, of_zero] = f(x, 0);
    const auto [left, turned] = f(x, -1);
    for (std::int64_t i = 0; i < 5; ++i) {
        CHECK(rest(i) == 0);
        CHECK(of_zero(i) == 0);
        CHECK(left(i) == 0);
        CHECK(turned(i) == kernel::minus(x(i)));
    }
}
