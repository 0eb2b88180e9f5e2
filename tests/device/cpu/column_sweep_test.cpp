// SPDX-License-Identifier: MIT
// Sums along columns of rows that a near cache holds and of rows that none does, in whole numbers: the order of a sum is not seen in its result.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

struct sums {
    std::vector<double> of_columns, of_squares, largest;
    double all = 0;
};

template <class M> sums by_hand(const M& x) {
    const auto rows = static_cast<std::size_t>(x.extent(0)), columns = static_cast<std::size_t>(x.extent(1));
    sums s{std::vector<double>(columns), std::vector<double>(columns), std::vector<double>(columns, -100.0), 0};
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            const auto v = static_cast<double>(x(i, j));
            s.of_columns[j] += v;
            s.of_squares[j] += v * v;
            s.largest[j] = std::max(s.largest[j], v);
            s.all += v;
        }
    return s;
}

template <class A> bool same(const A& is, const std::vector<double>& wanted) {
    return std::equal(is.begin(), is.end(), wanted.begin(), wanted.end(), [](auto a, double b) { return static_cast<double>(a) == b; });
}

template <class T> array<T, 2> matrix_of(std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 13 - (i / columns) % 5);
    return x;
}

template <class T> void check_all() {
    const auto alone = function<cpu>([](matrix<T> x) { return sum<0>(x); });
    const auto two = function<cpu>([](matrix<T> x) { return outputs(sum<0>(x), sum<0>(x * x), max<0>(x)); });
    // A result that is stored beside, a sum along rows and a sum of all.
    const auto more = function<cpu>([](matrix<T> x, vector<T> b) { return outputs(x + b, sum<0>(x + b), sum<1>(x + b), sum(x + b)); });
    const std::int64_t shapes[][2] = {{0, 3},     {1, 1},      {3, 5000},  {4, 9000},   {5, 8193},    {9, 4100},    {17, 2049},   {100, 1000},
                                      {127, 517}, {128, 1024}, {129, 777}, {300, 2500}, {1000, 64}, {257, 4099}, {2000, 33}};
    for (const auto& shape : shapes) {
        const std::int64_t rows = shape[0], columns = shape[1];
        CAPTURE(rows);
        CAPTURE(columns);
        const auto x = matrix_of<T>(rows, columns);
        const sums wanted = by_hand(x);
        CHECK(same(alone(x), wanted.of_columns));
        if (rows > 0) {
            const auto [first, squares, largest] = two(x);
            CHECK(same(first, wanted.of_columns));
            CHECK(same(squares, wanted.of_squares));
            CHECK(same(largest, wanted.largest));
        }
        array<T, 1> b(columns);
        for (std::int64_t j = 0; j < columns; ++j) b(j) = static_cast<T>(j % 3);
        const auto [stored, down, along, all] = more(x, b);
        const sums moved = by_hand(stored);
        CHECK(same(down, moved.of_columns));
        CHECK(static_cast<double>(all()) == moved.all);
        for (std::int64_t i = 0; i < rows; ++i) {
            double line = 0;
            for (std::int64_t j = 0; j < columns; ++j) line += static_cast<double>(stored(i, j));
            REQUIRE(static_cast<double>(along(i)) == line);
        }
        // Every second row of a wider matrix: rows that lie far apart.
        const auto wide = matrix_of<T>(2 * rows, columns + 9);
        const auto part = wide(slice(none, none, 2), slice(4, columns + 4));
        CHECK(same(alone(part), by_hand(part).of_columns));
    }
}

}  // namespace

TEST_CASE("sums along columns, single precision") { check_all<float>(); }
TEST_CASE("sums along columns, double precision") { check_all<double>(); }
TEST_CASE("sums along columns, whole numbers") { check_all<std::int32_t>(); }

TEST_CASE("sums along columns of several blocks of rows, added to what is there") {
    const auto f = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x, shared<vector<float>> y) { return updates(y += sum<0, 1>(x)); });
    array<float, 3> x(3, 150, 700);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 11);
    array<float, 1> y(700);
    std::vector<double> wanted(700);
    for (std::size_t j = 0; j < 700; ++j) {
        y(j) = static_cast<float>(j);
        wanted[j] = static_cast<double>(j);
        for (std::size_t i = 0; i < 450; ++i) wanted[j] += static_cast<double>(x.data()[i * 700 + j]);
    }
    f(x, y);
    CHECK(same(y, wanted));
}
