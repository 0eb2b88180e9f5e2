// SPDX-License-Identifier: MIT
// Many small matrices one behind the other: sums down their columns, their turned ones, and what else is done with them some at a time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr std::int64_t counts[] = {1, 2, 63, 64, 65, 100, 333, 1500};
constexpr std::int64_t sides[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {3, 3}, {4, 4}, {5, 3}, {3, 20}, {20, 3}, {64, 1}, {1, 64}, {8, 8}, {9, 8}, {2, 40}};

template <class T> array<T, 3> cubes(std::int64_t count, std::int64_t rows, std::int64_t columns) {
    array<T, 3> x(count, rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7919 % 29 - (std::is_unsigned_v<T> ? 0 : 14));
    return x;
}

/// `f` of each number of matrices and their sides.
template <class F> void each_shape(F f) {
    for (const std::int64_t count : counts)
        for (const auto& side : sides) {
            CAPTURE(count);
            CAPTURE(side[0]);
            CAPTURE(side[1]);
            f(count, side[0], side[1]);
        }
}

template <class T> using cube = tensor<T, dynamic, dynamic, dynamic>;

template <class M, class F> void each(const M& x, F f) {
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        for (std::int64_t j = 0; j < x.extent(1); ++j)
            for (std::int64_t l = 0; l < x.extent(2); ++l) f(i, j, l);
}

template <class T> struct functions {
    static auto sums() { return function<cpu>([](cube<T> x) { return sum<1>(x); }); }
    static auto largest() { return function<cpu>([](cube<T> x) { return max<1>(x); }); }
    static auto places() { return function<cpu>([](cube<T> x) { return argmin<1>(x); }); }
    static auto turned() { return function<cpu>([](cube<T> x) { return transpose<0, 2, 1>(x); }); }
    static auto joined() { return function<cpu>([](cube<T> x, matrix<T> c) { return sum<1>(x * c); }); }
    static auto centred() { return function<cpu>([](cube<T> x) { return outputs(x + x, sum<1>(x + x)); }); }
    static auto with_turned() { return function<cpu>([](cube<T> x, cube<T> y) { return x + transpose<0, 2, 1>(y); }); }

    decltype(sums()) sum_of = sums();
    decltype(largest()) largest_of = largest();
    decltype(places()) place_of = places();
    decltype(turned()) turned_of = turned();
    decltype(joined()) joined_of = joined();
    decltype(centred()) centred_of = centred();
    decltype(with_turned()) with_turned_of = with_turned();

    template <class M> void check(const M& x) const {
        const std::int64_t count = x.extent(0), rows = x.extent(1), columns = x.extent(2);
        array<T, 2> c(rows, columns);
        for (std::int64_t i = 0; i < c.size(); ++i) c.data()[i] = static_cast<T>(i % 3);
        const auto s = sum_of(x), m = joined_of(x, c);
        const auto most = largest_of(x);
        const auto place = place_of(x);
        const auto turn = turned_of(x), again = with_turned_of(turn, x);
        const auto [twice, sums_of_twice] = centred_of(x);
        bool same = true;
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t l = 0; l < columns; ++l) {
                T sum = 0, product = 0, high = x(i, 0, l), low = x(i, 0, l);
                std::int64_t at = 0;
                for (std::int64_t j = 0; j < rows; ++j) {
                    sum += x(i, j, l);
                    product += x(i, j, l) * c(j, l);
                    high = std::max(high, x(i, j, l));
                    if (x(i, j, l) < low) low = x(i, j, l), at = j;
                    same = same && turn(i, l, j) == x(i, j, l) && again(i, l, j) == 2 * x(i, j, l) && twice(i, j, l) == 2 * x(i, j, l);
                }
                same = same && static_cast<T>(s(i, l)) == sum && static_cast<T>(m(i, l)) == product && most(i, l) == high && place(i, l) == at && static_cast<T>(sums_of_twice(i, l)) == 2 * sum;
            }
        REQUIRE(same);
    }
};

template <class T> void check_all() {
    const functions<T> all_of;
    each_shape([&](std::int64_t count, std::int64_t rows, std::int64_t columns) {
        const auto x = cubes<T>(count, rows, columns);
        all_of.check(x);
        all_of.check(x(slice(none, none, -1)));
        all_of.check(cubes<T>(count, rows + 1, columns + 2)(slice(none, none), slice(none, rows), slice(1, columns + 1)));
        all_of.check(cubes<T>(2 * count, rows, columns)(slice(none, none, 2)));
    });
}

}  // namespace

TEST_CASE_TEMPLATE("small matrices", T, float, double, std::int32_t) { check_all<T>(); }

TEST_CASE("bytes turned") {
    const auto turn = function<cpu>([](cube<std::uint8_t> x) { return transpose<0, 2, 1>(x); });
    each_shape([&](std::int64_t count, std::int64_t rows, std::int64_t columns) {
        const auto x = cubes<std::uint8_t>(count, rows, columns);
        const auto y = turn(x);
        bool same = true;
        each(x, [&](std::int64_t i, std::int64_t j, std::int64_t l) { same = same && y(i, l, j) == x(i, j, l); });
        REQUIRE(same);
    });
}

TEST_CASE_TEMPLATE("spreads and normalised columns of small matrices", T, float, double) {
    const auto spread = function<cpu>([](cube<T> x) { return var<1>(x); });
    const auto normal = function<cpu>([](cube<T> x) { return (x - mean<1>(x, keepdims)) / sqrt(var<1>(x, keepdims) + T(1)); });
    const auto with_part = function<cpu>([](cube<T> x, matrix<T> c) { return sum<1>(x * newaxis<1>(c)) + c; });
    each_shape([&](std::int64_t count, std::int64_t rows, std::int64_t columns) {
        const auto x = cubes<T>(count, rows, columns);
        array<T, 2> c(count, columns);
        for (std::int64_t i = 0; i < c.size(); ++i) c.data()[i] = static_cast<T>(i % 5);
        const auto spreads = spread(x), parts = with_part(x, c);
        const auto normals = normal(x);
        double most = 0;
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t l = 0; l < columns; ++l) {
                double sum = 0, squares = 0;
                for (std::int64_t j = 0; j < rows; ++j) sum += static_cast<double>(x(i, j, l));
                const double n = static_cast<double>(rows), middle = sum / n;
                for (std::int64_t j = 0; j < rows; ++j) squares += (static_cast<double>(x(i, j, l)) - middle) * (static_cast<double>(x(i, j, l)) - middle);
                most = std::max(most, std::abs(static_cast<double>(spreads(i, l)) - squares / n) / (1 + squares / n));
                most = std::max(most, std::abs(static_cast<double>(parts(i, l)) - (sum + 1) * static_cast<double>(c(i, l))) / (1 + std::abs(sum)));
                for (std::int64_t j = 0; j < rows; ++j)
                    most = std::max(most, std::abs(static_cast<double>(normals(i, j, l)) - (static_cast<double>(x(i, j, l)) - middle) / std::sqrt(squares / n + 1)));
            }
        REQUIRE(most < (sizeof(T) == 4 ? 1e-5 : 1e-13));
    });
}

TEST_CASE("a softmax down short columns, and sums into a part of a wider array") {
    const auto share = function<cpu>([](cube<float> x) { return softmax<1>(x); });
    const auto sums = function<cpu>([](cube<float> x) { return sum<1>(x); });
    each_shape([&](std::int64_t count, std::int64_t rows, std::int64_t columns) {
        const auto x = cubes<float>(count, rows, columns);
        const auto y = share(x);
        array<float, 2> wide(count, columns + 2);
        wide.fill(77);
        sums.call_into(wide(slice(none, none), slice(1, columns + 1)), x);
        bool same = true;
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t l = 0; l < columns; ++l) {
                double all_of_them = 0, sum = 0;
                for (std::int64_t j = 0; j < rows; ++j) all_of_them += std::exp(static_cast<double>(x(i, j, l))), sum += static_cast<double>(x(i, j, l));
                for (std::int64_t j = 0; j < rows; ++j) same = same && std::abs(std::exp(static_cast<double>(x(i, j, l))) / all_of_them - static_cast<double>(y(i, j, l))) < 1e-5;
                same = same && static_cast<double>(wide(i, l + 1)) == sum;
            }
            same = same && wide(i, 0) == 77 && wide(i, columns + 1) == 77;
        }
        REQUIRE(same);
    });
}
