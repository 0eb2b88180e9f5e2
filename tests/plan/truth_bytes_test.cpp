// SPDX-License-Identifier: MIT
// Truth values of arrays that become numbers, beside those that choose.
#include <doctest/doctest.h>

#include <cstdint>

#include <croton/croton.hpp>

using namespace croton;

namespace {

array<bool, 2> truths(std::int64_t rows, std::int64_t columns) {
    array<bool, 2> b(rows, columns);
    for (std::int64_t i = 0; i < b.size(); ++i) b.data()[i] = i * 7919 % 5 < 2;
    return b;
}

constexpr auto counted = [](matrix<bool> b) {
    return outputs(count_nonzero(b), count_nonzero<0>(b), count_nonzero<1>(b), sum<1>(cast<std::int8_t>(b)), mean<0>(cast<float>(b)), sum(cast<half>(b)));
};
constexpr auto converted = [](matrix<bool> b) { return outputs(cast<float>(b), cast<std::int64_t>(b), cast<std::uint16_t>(b), !b); };
constexpr auto chosen_as_well = [](matrix<bool> b, matrix<double> x) { return where(b, x, -x) + cast<double>(b); };
constexpr auto of_rows = [](vector<bool> b, matrix<float> x) { return outputs(x * cast<float>(b), x + newaxis<1>(cast<float>(b)), softmax<1>(x - 9.0f * cast<float>(b))); };
constexpr auto of_one = [](scalar<bool> b, vector<std::int32_t> x) { return x * cast<std::int32_t>(b) + 1; };

}  // namespace

TEST_CASE("counts and sums") {
    for (const std::int64_t n : {0, 1, 7, 33, 260}) {
        const auto b = truths(9, n);
        const auto [all, columns, rows, bytes, shares, halves] = function<cpu>(counted)(b);
        std::int64_t expected = 0;
        for (std::int64_t j = 0; j < n; ++j) {
            int of_column = 0;
            for (std::int64_t i = 0; i < 9; ++i) of_column += b(i, j) ? 1 : 0;
            CHECK(columns(j) == of_column);
            CHECK(shares(j) == doctest::Approx(of_column / 9.0));
            expected += of_column;
        }
        for (std::int64_t i = 0; i < 9; ++i) {
            int of_row = 0;
            for (std::int64_t j = 0; j < n; ++j) of_row += b(i, j) ? 1 : 0;
            CHECK(rows(i) == of_row);
            CHECK(bytes(i) == of_row);
        }
        CHECK(all() == expected);
        CHECK(static_cast<float>(halves()) == doctest::Approx(static_cast<double>(expected)).epsilon(0.01));
    }
}
TEST_CASE("numbers of every size, and what chooses beside") {
    const auto b = truths(5, 67);
    const auto [f, l, s, others] = function<cpu>(converted)(b);
    array<double, 2> x(5, 67);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i);
    const auto y = function<cpu>(chosen_as_well)(b, x);
    for (std::int64_t i = 0; i < b.size(); ++i) {
        const int one = b.data()[i] ? 1 : 0;
        CHECK(f.data()[i] == static_cast<float>(one));
        CHECK(l.data()[i] == one);
        CHECK(s.data()[i] == one);
        CHECK(others.data()[i] == !b.data()[i]);
        CHECK(y.data()[i] == (one != 0 ? x.data()[i] + 1 : -x.data()[i]));
    }
}
TEST_CASE("once for a row, and once for all") {
    const std::int64_t n = 40;
    array<bool, 1> b(n);
    array<float, 2> x(n, n);
    for (std::int64_t i = 0; i < n; ++i) b(i) = i % 3 == 0;
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = 0.01f * static_cast<float>(i % 100);
    const auto [columns, rows, parts] = function<cpu>(of_rows)(b, x);
    const auto [c, r, p] = function<reference>(of_rows)(b, x);
    CHECK(columns == c);
    CHECK(rows == r);
    CHECK(allclose(parts, p));
    for (const bool value : {false, true}) {
        array<bool, 0> one;
        one() = value;
        const auto y = function<cpu>(of_one)(one, array<std::int32_t, 1>{1, 2, 3});
        CHECK(y(2) == (value ? 4 : 1));
    }
}
