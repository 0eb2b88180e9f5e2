// SPDX-License-Identifier: MIT
// Matrices of few columns, whose rows run several at once: every form in which an operand lies beside them.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T> array<T, 2> matrix_of(std::int64_t rows, std::int64_t columns, int seed) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + seed) % 23 + 1);
    return x;
}
template <class T> array<T, 1> vector_of(std::int64_t n, int seed) {
    array<T, 1> v(n);
    for (std::int64_t i = 0; i < n; ++i) v(i) = static_cast<T>((i * 5 + seed) % 11 + 1);
    return v;
}

template <class A, class F> bool all_are(const A& y, F value) {
    for (std::int64_t i = 0; i < y.extent(0); ++i)
        for (std::int64_t j = 0; j < y.extent(1); ++j)
            if (y(i, j) != value(i, j)) return false;
    return true;
}

constexpr std::int64_t row_counts[] = {0, 1, 3, 4, 11, 64, 65, 500, 3001};

template <class T> void check_all() {
    const auto less_row = function<cpu>([](matrix<T> x, vector<T> v) { return x - v; });
    const auto by_row = function<cpu>([](matrix<T> x, vector<T> w) { return x * newaxis<1>(w); });
    const auto both = function<cpu>([](matrix<T> x, vector<T> v, vector<T> w, scalar<T> s) { return newaxis<1>(w + w) * (x - v) + s; });
    const auto two = function<cpu>([](matrix<T> x, vector<T> v, vector<T> w) { return outputs(x - v, newaxis<1>(w) + x, v + newaxis<1>(w)); });
    const auto in_place = function<cpu>([](shared<matrix<T>> x, vector<T> v) { return updates(x += v); });
    for (const std::int64_t columns : {1, 2, 3, 4, 5, 7, 9, 13, 33, 130})
        for (const std::int64_t rows : row_counts) {
            CAPTURE(rows);
            CAPTURE(columns);
            auto x = matrix_of<T>(rows, columns, 1);
            const auto v = vector_of<T>(columns, 2), w = vector_of<T>(rows, 3);
            const auto minus = [&](std::int64_t i, std::int64_t j) { return static_cast<T>(x(i, j) - v(j)); };
            CHECK(all_are(less_row(x, v), minus));
            CHECK(all_are(by_row(x, w), [&](auto i, auto j) { return static_cast<T>(x(i, j) * w(i)); }));
            const auto [a, b, c] = two(x, v, w);
            CHECK(all_are(a, minus));
            CHECK(all_are(b, [&](auto i, auto j) { return static_cast<T>(w(i) + x(i, j)); }));
            CHECK(all_are(c, [&](auto i, auto j) { return static_cast<T>(v(j) + w(i)); }));
            const array<T, 0> three(3);
            CHECK(all_are(both(x, v, w, three), [&](auto i, auto j) { return static_cast<T>(static_cast<T>(w(i) + w(i)) * static_cast<T>(x(i, j) - v(j)) + T(3)); }));
            // Rows of a wider matrix, every second row, rows from the last one on, and weights that lie apart.
            const auto wide = matrix_of<T>(2 * rows, columns + 3, 4);
            const auto padded = wide(slice(none, rows), slice(1, columns + 1)), second = wide(slice(none, none, 2), slice(2, columns + 2));
            const auto last = x(slice(none, none, -1));
            const auto apart = wide(slice(none, rows), 0);
            CHECK(all_are(less_row(padded, v), [&](auto i, auto j) { return static_cast<T>(padded(i, j) - v(j)); }));
            CHECK(all_are(less_row(second, v), [&](auto i, auto j) { return static_cast<T>(second(i, j) - v(j)); }));
            CHECK(all_are(less_row(last, v), [&](auto i, auto j) { return static_cast<T>(last(i, j) - v(j)); }));
            // A column of the matrix itself, whose numbers lie as far apart as its rows.
            CHECK(all_are(by_row(x, x(slice(), 0)), [&](auto i, auto j) { return static_cast<T>(x(i, j) * x(i, 0)); }));
            CHECK(all_are(by_row(x, apart), [&](auto i, auto j) { return static_cast<T>(x(i, j) * apart(i)); }));
            // A view is written, and what lies around it stays.
            auto room = matrix_of<T>(rows, columns + 2, 5);
            const auto before = room;
            auto inner = room(slice(), slice(1, columns + 1));
            less_row.call_into(std::tie(inner), x, v);
            CHECK(all_are(room, [&](auto i, auto j) { return j == 0 || j == columns + 1 ? before(i, j) : minus(i, j - 1); }));
            const auto old = x;
            in_place(x, v);
            CHECK(all_are(x, [&](auto i, auto j) { return static_cast<T>(old(i, j) + v(j)); }));
        }
}

}  // namespace

TEST_CASE("short rows, single precision") { check_all<float>(); }
TEST_CASE("short rows, double precision") { check_all<double>(); }
TEST_CASE("short rows, int32") { check_all<std::int32_t>(); }
TEST_CASE("short rows, uint8") { check_all<std::uint8_t>(); }
TEST_CASE("short rows, int16") { check_all<std::int16_t>(); }

TEST_CASE("short rows along several outer axes") {
    const auto f = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> x, matrix<double> centre, matrix<double> weight) {
        return newaxis<2>(weight) * (x - newaxis<1>(centre));
    });
    const auto away = function<cpu>([](matrix<float> x, matrix<float> c) { return newaxis<1>(x) - newaxis<0>(c); });
    for (const std::int64_t columns : {1, 2, 3, 5, 6})
        for (const auto& size : {std::pair<std::int64_t, std::int64_t>{1, 300}, {3, 200}, {7, 4}, {200, 5}, {5, 1}}) {
            const std::int64_t parts = size.first, points = size.second;
            CAPTURE(columns);
            CAPTURE(points);
            array<double, 3> x(parts, points, columns);
            for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i % 17);
            const auto centre = matrix_of<double>(parts, columns, 2), weight = matrix_of<double>(parts, points, 3);
            const auto y = f(x, centre, weight);
            const auto m = matrix_of<float>(parts, columns, 1), c = matrix_of<float>(points, columns, 4);
            const auto distances = away(m, c);
            bool right = true;
            for (std::int64_t k = 0; k < parts; ++k)
                for (std::int64_t i = 0; i < points; ++i)
                    for (std::int64_t j = 0; j < columns; ++j)
                        right = right && y(k, i, j) == weight(k, i) * (x(k, i, j) - centre(k, j)) && distances(k, i, j) == m(k, j) - c(i, j);
            CHECK(right);
        }
}

TEST_CASE("short rows on several threads") {
    const auto f = function<cpu>([](matrix<float> x, vector<float> v, vector<float> w) { return newaxis<1>(w) * (x - v); });
    const auto x = matrix_of<float>(400'003, 3, 1);
    const auto v = vector_of<float>(3, 2), w = vector_of<float>(400'003, 3);
    set_threads(1);
    const auto one = f(x, v, w);
    for (const int n : {2, 3, 5}) {
        set_threads(n);
        CHECK(f(x, v, w) == one);
    }
    CHECK(all_are(one, [&](auto i, auto j) { return w(i) * (x(i, j) - v(j)); }));
    set_threads(0);
}

namespace {

template <class T> void check_joined() {
    const auto away = function<cpu>([](matrix<T> x, matrix<T> c) { return newaxis<1>(x) - newaxis<0>(c); });
    const auto three = function<cpu>([](tensor<T, dynamic, dynamic, dynamic> x, tensor<T, dynamic, dynamic, dynamic> c, matrix<T> v) {
        return newaxis<2>(x) * newaxis<1>(c) + v;
    });
    for (const std::int64_t columns : {1, 2, 3, 4, 5, 8, 15, 16, 17})
        for (const auto& size : {std::pair<std::int64_t, std::int64_t>{1, 2}, {4, 2}, {5, 3}, {300, 8}, {1001, 3}, {65, 21}}) {
            const std::int64_t points = size.first, parts = size.second;
            CAPTURE(columns);
            CAPTURE(points);
            CAPTURE(parts);
            const auto x = matrix_of<T>(points, columns, 1), c = matrix_of<T>(parts, columns, 4), wide = matrix_of<T>(2 * points, columns + 2, 3);
            const auto right = [&](const auto& of, const auto& y) {
                bool all = true;
                for (std::int64_t i = 0; i < points; ++i)
                    for (std::int64_t k = 0; k < parts; ++k)
                        for (std::int64_t j = 0; j < columns; ++j) all = all && y(i, k, j) == static_cast<T>(of(i, j) - c(k, j));
                return all;
            };
            CHECK(right(x, away(x, c)));
            const auto padded = wide(slice(none, none, 2), slice(1, columns + 1));
            CHECK(right(padded, away(padded, c)));
            const auto last = x(slice(none, none, -1));
            CHECK(right(last, away(last, c)));
            // A view is written, and what lies around it stays.
            array<T, 3> room(points, parts, columns + 1);
            room.fill(T(7));
            auto inner = room(slice(), slice(), slice(none, columns));
            away.call_into(std::tie(inner), x, c);
            CHECK(right(x, inner));
            bool kept = true;
            for (std::int64_t i = 0; i < points; ++i)
                for (std::int64_t k = 0; k < parts; ++k) kept = kept && room(i, k, columns) == T(7);
            CHECK(kept);
            const auto v = matrix_of<T>(parts, columns, 2);
            array<T, 3> xs(2, points, columns), cs(2, parts, columns);
            for (std::int64_t i = 0; i < xs.size(); ++i) xs.data()[i] = static_cast<T>(i % 5);
            for (std::int64_t i = 0; i < cs.size(); ++i) cs.data()[i] = static_cast<T>(i % 7);
            const auto y = three(xs, cs, v);
            bool all = true;
            for (std::int64_t b = 0; b < 2; ++b)
                for (std::int64_t i = 0; i < points; ++i)
                    for (std::int64_t k = 0; k < parts; ++k)
                        for (std::int64_t j = 0; j < columns; ++j) all = all && y(b, i, k, j) == static_cast<T>(static_cast<T>(xs(b, i, j) * cs(b, k, j)) + v(k, j));
            CHECK(all);
        }
}

}  // namespace

TEST_CASE("few short rows for each index of another axis, single precision") { check_joined<float>(); }
TEST_CASE("few short rows for each index of another axis, double precision") { check_joined<double>(); }
TEST_CASE("few short rows for each index of another axis, uint8") { check_joined<std::uint8_t>(); }

TEST_CASE("few short rows for each index of another axis on several threads") {
    const auto away = function<cpu>([](matrix<float> x, matrix<float> c) { return newaxis<1>(x) - newaxis<0>(c); });
    const auto x = matrix_of<float>(100'003, 3, 1), c = matrix_of<float>(5, 3, 2);
    set_threads(1);
    const auto one = away(x, c);
    for (const int n : {2, 3, 5}) {
        set_threads(n);
        CHECK(away(x, c) == one);
    }
    set_threads(0);
    CHECK(one(100'002, 4, 2) == x(100'002, 2) - c(4, 2));
}
