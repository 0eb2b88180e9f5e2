// SPDX-License-Identifier: MIT
// Short rows whose elements, or which themselves, lie apart in memory: every second column, columns from the last to the first, some columns of many, beside the reference.
#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> constexpr auto elements = [](matrix<T> x, vector<T> v, vector<T> w) { return outputs(x - v, newaxis<1>(w) * x, (x + v) * newaxis<1>(w), x > v); };
template <class T> constexpr auto sums_down = [](matrix<T> x, vector<T> v) { return outputs(sum<0>(x - v), max<0>(x * x)); };
template <class T> constexpr auto sums = [](matrix<T> x, matrix<T> y) { return outputs(sum(x), max(x + y), sum<0>(x), min<0>(x + y)); };
template <class T> constexpr auto dear = [](matrix<T> x, vector<T> v) { return exp(x - v); };

/// Calls `f` with views of such columns, as they lie and as they are.
template <class T, class F> void each_view(std::int64_t rows, std::int64_t columns, F f) {
    const auto wide = support::numbers(4).fill<T, 2>({2 * rows, 2 * columns + 3}, 0.5, 2);
    const auto check = [&](const auto& view) { f(view, array<T, 2>(view)); };
    check(wide(slice(none, rows), slice(1, 2 * columns + 1, 2)));
    check(wide(slice(none, rows), slice(columns, 0, -1)));
    check(wide(slice(none, rows), slice(2, columns + 2)));
    check(wide(slice(none, none, 2), slice(0, 2 * columns, 2)));
    check(wide(slice(none, none, -2), slice(1, columns + 1)));
}

template <class T> void check_all() {
    const auto f = function<cpu>(elements<T>);
    const auto f_right = function<reference>(elements<T>);
    const auto g = function<cpu>(sums_down<T>);
    const auto g_right = function<reference>(sums_down<T>);
    const auto h = function<cpu>(sums<T>);
    const auto h_right = function<reference>(sums<T>);
    for (const std::int64_t columns : {1, 2, 3, 4, 7, 8, 16, 17, 40, 130})
        for (const std::int64_t rows : {1, 3, 8, 9, 64, 130, 700}) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto v = support::numbers(2).fill<T, 1>({columns}, 0.5, 2), w = support::numbers(3).fill<T, 1>({rows}, 0.5, 2);
            const auto other = support::numbers(5).fill<T, 2>({rows, columns}, 0.5, 2);
            each_view<T>(rows, columns, [&](const auto& x, const array<T, 2>& plain) {
                check_same(f(x, v, w), f_right(plain, v, w));
                check_same(g(x, v), g_right(plain, v));
                check_same(h(x, other), h_right(plain, other));
                check_same(h(other, x), h_right(other, plain));
            });
        }
}

}  // namespace

TEST_CASE_TEMPLATE("short rows that lie apart", T, float, std::int64_t, std::uint8_t) { check_all<T>(); }

TEST_CASE_TEMPLATE("functions of short rows that lie apart, into every second column and from the last to the first", T, float, double) {
    const auto f = function<cpu>(dear<T>);
    const auto right = function<reference>(dear<T>);
    for (const std::int64_t columns : {1, 2, 3, 5, 8, 12, 16, 33})
        for (const std::int64_t rows : {1, 7, 64, 701}) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto v = support::numbers(2).fill<T, 1>({columns}, 0.5, 2);
            each_view<T>(rows, columns, [&](const auto& x, const array<T, 2>& plain) {
                const auto wanted = right(plain, v);
                check_same(f(x, v), wanted);
                array<T, 2> room(rows, 2 * columns + 1);
                for (const bool backwards : {false, true}) {
                    room.fill(T(7));
                    auto inner = backwards ? room(slice(), slice(2 * columns - 1, none, -2)) : room(slice(), slice(1, none, 2));
                    f.call_into(std::tie(inner), x, v);
                    check_same(array<T, 2>(inner), wanted);
                    bool kept = true;
                    for (std::int64_t i = 0; i < rows; ++i)
                        for (std::int64_t j = 0; j <= columns; ++j) kept = kept && room(i, 2 * j) == T(7);
                    CHECK(kept);
                }
            });
        }
}

TEST_CASE("sums of many rows that lie apart keep their digits, on one thread and on several") {
    const auto f = function<cpu>([](matrix<float> x) { return outputs(sum<0>(x), sum(x)); });
    const auto wide = support::numbers(1).fill<float, 2>({1'000'000, 7}, 0, 1);
    for (const int count : {1, 2, 3}) {
        const auto scope = threads(count);
        for (const auto& x : {wide(slice(), slice(0, none, 2)), wide(slice(), slice(1, 4))}) {
            const auto [down, whole] = f(x);
            double all = 0;
            for (std::int64_t j = 0; j < x.extent(1); ++j) {
                double column = 0;
                for (std::int64_t i = 0; i < x.extent(0); ++i) column += static_cast<double>(x(i, j));
                CHECK(down(j) == doctest::Approx(column).epsilon(1e-5));
                all += column;
            }
            CHECK(whole() == doctest::Approx(all).epsilon(1e-6));
        }
    }
}
