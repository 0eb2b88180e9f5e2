// SPDX-License-Identifier: MIT
// Sums along the rows of matrices of few columns, a row in each lane, beside the reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> constexpr auto sums = [](matrix<T> x, vector<T> v) {
    return outputs(sum<1>(x), sum<1>(sqr(x - v)), max<1>(x), min<1>(x + v), sum<1>(x * v) * 2, mean<1>(x - v));
};
template <class T> constexpr auto norms = [](matrix<T> x, vector<T> v, vector<T> w) {
    return outputs(x / norm<1>(x, keepdims), sqrt(sum<1>(sqr(x - v))) + w, x - mean<1>(x, keepdims), var<1>(x), softmax<1>(x), logsumexp<1>(x));
};
template <class T> constexpr auto wholes = [](matrix<T> x, vector<T> v) {
    return outputs(sum<1>(x * v), max<1>(x), prod<1>(x - v), x - min<1>(x, keepdims), floor_divide(x, min<1>(x, keepdims) - T(1)), any<1>(x > v), all<1>(x > v));
};

constexpr std::int64_t row_counts[] = {1, 7, 15, 16, 17, 33, 64, 65, 200, 1003};
constexpr std::int64_t column_counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 24, 33, 60};

template <class T> void check_numbers() {
    const auto f = function<cpu>(sums<T>);
    const auto f_right = function<reference>(sums<T>);
    const auto g = function<cpu>(norms<T>);
    const auto g_right = function<reference>(norms<T>);
    for (const std::int64_t columns : column_counts)
        for (const std::int64_t rows : row_counts) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto x = support::numbers(1).fill<T, 2>({rows, columns});
            const auto v = support::numbers(2).fill<T, 1>({columns}), w = support::numbers(3).fill<T, 1>({rows});
            check_same(f(x, v), f_right(x, v));
            check_same(g(x, v, w), g_right(x, v, w));
            for (const auto how : {support::layout::stepped, support::layout::transposed}) {
                const auto placed = support::placed<T, 2>(x, how);
                check_same(f(placed.get(), v), f_right(x, v));
                check_same(g(placed.get(), v, w), g_right(x, v, w));
            }
        }
}

template <class T> void check_whole() {
    const auto f = function<cpu>(wholes<T>);
    const auto right = function<reference>(wholes<T>);
    for (const std::int64_t columns : column_counts)
        for (const std::int64_t rows : row_counts) {
            CAPTURE(rows);
            CAPTURE(columns);
            array<T, 2> x(rows, columns);
            array<T, 1> v(columns);
            for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 11);
            for (std::int64_t j = 0; j < columns; ++j) v(j) = static_cast<T>(j % 3);
            CHECK(f(x, v) == right(x, v));
        }
}

}  // namespace

TEST_CASE("sums along short rows, single precision") { check_numbers<float>(); }
TEST_CASE("sums along short rows, double precision") { check_numbers<double>(); }
TEST_CASE("sums along short rows, int32") { check_whole<std::int32_t>(); }
TEST_CASE("sums along short rows, int64") { check_whole<std::int64_t>(); }
TEST_CASE("sums along short rows, uint8") { check_whole<std::uint8_t>(); }

TEST_CASE("sums along short rows of several outer axes, into views and on several threads") {
    constexpr auto distances = [](matrix<float> x, matrix<float> c) { return sum<2>(sqr(newaxis<1>(x) - newaxis<0>(c))); };
    const auto f = function<cpu>(distances);
    const auto right = function<reference>(distances);
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{5, 40}, {40, 5}, {3, 16}, {70, 70}})
        for (const std::int64_t columns : {1, 2, 3, 6}) {
            const auto x = support::numbers(1).fill<float, 2>({size.first, columns}), c = support::numbers(2).fill<float, 2>({size.second, columns});
            const auto wanted = right(x, c);
            check_same(f(x, c), wanted);
            array<float, 2> room(size.first, 2 * size.second + 1);
            room.fill(7.f);
            auto inner = room(slice(), slice(1, none, 2));
            f.call_into(std::tie(inner), x, c);
            bool kept = true;
            for (std::int64_t i = 0; i < size.first; ++i)
                for (std::int64_t j = 0; j < size.second; ++j) kept = kept && room(i, 2 * j) == 7 && std::abs(inner(i, j) - wanted(i, j)) <= 1e-5f * (1 + wanted(i, j));
            CHECK(kept);
        }
    const auto x = support::numbers(1).fill<float, 2>({300'001, 3}), c = support::numbers(2).fill<float, 2>({3, 3});
    set_threads(1);
    const auto one = f(x, c);
    for (const int n : {2, 3}) {
        set_threads(n);
        CHECK(f(x, c) == one);
    }
    set_threads(0);
}

TEST_CASE("sums along short rows of a short axis, a row of another axis in each lane") {
    constexpr auto distances = [](matrix<float> x, matrix<float> c) {
        auto d = sum<2>(sqr(newaxis<1>(x) - newaxis<0>(c)));
        return outputs(d, argmin<1>(d), min<1>(d), exp(-d / 2), argmax<1>(d));
    };
    constexpr auto several = [](tensor<double, dynamic, dynamic, dynamic> x, tensor<double, dynamic, dynamic, dynamic> c, matrix<double> w) {
        auto d = sum<3>(sqr(newaxis<2>(x) - newaxis<1>(c)));
        return outputs(d * newaxis<1>(w), logsumexp<2>(-d), sum<2>(d), sum<1>(d));
    };
    const auto f = function<cpu>(distances);
    const auto f_right = function<reference>(distances);
    const auto g = function<cpu>(several);
    const auto g_right = function<reference>(several);
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{31, 2}, {32, 3}, {64, 8}, {65, 10}, {500, 1}, {201, 31}, {129, 33}, {70, 128}, {33, 129}})
        for (const std::int64_t columns : {1, 2, 3, 7, 12, 16, 32, 33}) {
            CAPTURE(size.first);
            CAPTURE(size.second);
            CAPTURE(columns);
            const auto x = support::numbers(1).fill<float, 2>({size.first, columns}), c = support::numbers(2).fill<float, 2>({size.second, columns});
            check_same(f(x, c), f_right(x, c));
            for (const auto how : {support::layout::stepped, support::layout::transposed}) {
                const auto placed = support::placed<float, 2>(x, how);
                check_same(f(placed.get(), c), f_right(x, c));
            }
            const auto xs = support::numbers(1).fill<double, 3>({3, size.first, columns}), cs = support::numbers(2).fill<double, 3>({3, size.second, columns});
            const auto w = support::numbers(3).fill<double, 2>({3, size.second});
            check_same(g(xs, cs, w), g_right(xs, cs, w));
        }
    const auto x = support::numbers(1).fill<float, 2>({200'001, 3}), c = support::numbers(2).fill<float, 2>({5, 3});
    set_threads(1);
    const auto one = f(x, c);
    for (const int n : {2, 3}) {
        set_threads(n);
        CHECK(std::get<0>(f(x, c)) == std::get<0>(one));
        CHECK(std::get<1>(f(x, c)) == std::get<1>(one));
    }
    set_threads(0);
}

TEST_CASE_TEMPLATE("normalised rows and their gradients, which take several passes", T, float, double) {
    constexpr auto both = [](matrix<T> x, vector<T> gain, vector<T> shift) {
        auto c = x - mean<1>(x, keepdims);
        auto y = c / sqrt(mean<1>(c * c, keepdims) + T(0.25)) * gain + shift;
        return outputs(y, grad(sum(y * y * y), x), tanh(max<1>(y)) * exp(min<1>(x)));
    };
    const auto f = function<cpu>(both);
    const auto right = function<reference>(both);
    for (const std::int64_t columns : {1, 3, 8, 17, 31, 32, 33, 48, 64, 65})
        for (const std::int64_t rows : row_counts) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto x = support::numbers(1).fill<T, 2>({rows, columns});
            const auto gain = support::numbers(2).fill<T, 1>({columns}), shift = support::numbers(3).fill<T, 1>({columns});
            const auto wanted = right(x, gain, shift);
            check_same(f(x, gain, shift), wanted);
            const auto placed = support::placed<T, 2>(x, support::layout::transposed);
            check_same(f(placed.get(), gain, shift), wanted);
        }
}

TEST_CASE_TEMPLATE("products of short rows of a short axis, into every second number", T, float, double, std::int32_t, std::int64_t, std::uint8_t) {
    constexpr auto products = [](matrix<T> x, matrix<T> c) { return sum<2>(newaxis<1>(x) * newaxis<0>(c)); };
    constexpr auto turned = [](matrix<T> x, matrix<T> c) { return max<2>(newaxis<0>(x) - newaxis<1>(c)); };
    const auto f = function<cpu>(products);
    const auto g = function<cpu>(turned);
    const auto f_right = function<reference>(products);
    const auto g_right = function<reference>(turned);
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{64, 3}, {130, 16}, {130, 17}, {200, 40}, {140, 100}})
        for (const std::int64_t columns : {1, 3, 16, 31, 32, 40}) {
            CAPTURE(size.first);
            CAPTURE(size.second);
            CAPTURE(columns);
            array<T, 2> x(size.first, columns), c(size.second, columns);
            for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 5);
            for (std::int64_t i = 0; i < c.size(); ++i) c.data()[i] = static_cast<T>(i * 5 % 3);
            const auto wanted = f_right(x, c);
            using result = std::remove_cvref_t<decltype(*wanted.data())>;
            CHECK(f(x, c) == wanted);
            CHECK(g(x, c) == g_right(x, c));
            CHECK(g(c, x) == g_right(c, x));
            array<result, 2> room(2 * size.first, 2 * size.second + 1);
            room.fill(result(77));
            auto inner = room(slice(none, none, 2), slice(1, none, 2));
            f.call_into(std::tie(inner), x, c);
            CHECK(inner == wanted);
            bool kept = true;
            for (std::int64_t i = 0; i < 2 * size.first; ++i)
                for (std::int64_t j = 0; j < 2 * size.second + 1; ++j) kept = kept && ((i % 2 == 0 && j % 2 == 1) || room(i, j) == result(77));
            CHECK(kept);
        }
}

TEST_CASE_TEMPLATE("positions of the largest and the smallest of short rows", T, float, double, std::int32_t, std::uint8_t) {
    constexpr auto places = [](matrix<T> x, vector<T> v) {
        return outputs(argmax<1>(x), argmin<1>(x), argmax<1>(x, ties::last), max<1>(x), argmin<1>(x * v, ties::last));
    };
    const auto f = function<cpu>(places);
    const auto right = function<reference>(places);
    for (const std::int64_t columns : column_counts)
        for (const std::int64_t rows : row_counts) {
            CAPTURE(rows);
            CAPTURE(columns);
            array<T, 2> x(rows, columns);
            for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 5);
            if constexpr (std::is_floating_point_v<T>)
                for (std::int64_t i = 0; i < x.size(); i += 13) x.data()[i] = std::numeric_limits<T>::quiet_NaN();
            array<T, 1> v(columns);
            v.fill(T(1));
            const auto is = f(x, v), wanted = right(x, v);
            CHECK(std::get<0>(is) == std::get<0>(wanted));
            CHECK(std::get<1>(is) == std::get<1>(wanted));
            CHECK(std::get<2>(is) == std::get<2>(wanted));
            CHECK(std::get<4>(is) == std::get<4>(wanted));
            bool same = true;
            for (std::int64_t i = 0; i < rows; ++i) {
                const T a = std::get<3>(is)(i), b = std::get<3>(wanted)(i);
                same = same && (a == b || (a != a && b != b));
            }
            CHECK(same);
        }
}
