// SPDX-License-Identifier: MIT
// Sums of more than a short row, a row in each lane: over everything, down columns beside rows, and on several threads, beside the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <tuple>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

// Each a loop of its own: what is summed elsewhere decides which way is taken.
template <class T> constexpr auto over_all = [](matrix<T> x, vector<T> v, vector<T> w) {
    return outputs(sum(newaxis<1>(w) * sqr(x - v)), sum(w * max<1>(x)), max(newaxis<1>(w) * x), min(min<1>(x - v) * w), sum(newaxis<1>(w) * x) + sum(max<1>(x) * w),
                   any(newaxis<1>(w) * x > v + T(2)), all(max<1>(x) >= w));
};
template <class T> constexpr auto losses = [](matrix<T> x, vector<T> v, vector<T> w) {
    const auto log_sum = logsumexp<1>(x * v);
    return outputs(mean(log_sum), sum(log_sum * w), log_sum, sum(sqrt(sum<1>(sqr(x)))), mean(log(x)), sum(newaxis<1>(w) * log(x)));
};
template <class T> constexpr auto beside_columns = [](matrix<T> x, vector<T> v, vector<T> w) {
    const auto r = sqrt(sum<1>(sqr(x - v)));
    return outputs(r, sum(r), sum<0>(newaxis<1>(w) * x), max<0>(x));
};
template <class T> constexpr auto both_ways = [](matrix<T> x, vector<T> v, vector<T> w) { return outputs(sum<1>(x * v), max<0>(x), sum<0>(x - v), min<1>(x), w + max<1>(x * v)); };
template <class T> void check_matrices(auto formula) {
    const auto f = function<cpu>(formula);
    const auto right = function<reference>(formula);
    for (const std::int64_t columns : {1, 2, 3, 5, 8, 16, 24, 25, 40, 60})
        for (const std::int64_t rows : {1, 31, 32, 33, 64, 65, 513, 1003}) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto x = support::numbers(1).fill<T, 2>({rows, columns}, 0.5, 2);
            const auto v = support::numbers(2).fill<T, 1>({columns}, 0.5, 2), w = support::numbers(3).fill<T, 1>({rows}, 0.5, 2);
            const auto wanted = right(x, v, w);
            check_same(f(x, v, w), wanted, 2e-5);
            const auto placed = support::placed<T, 2>(x, support::layout::stepped);
            check_same(f(placed.get(), v, w), wanted, 2e-5);
        }
}

}  // namespace

TEST_CASE_TEMPLATE("sums of short rows over everything", T, float, std::int64_t, std::uint8_t) { check_matrices<T>(over_all<T>); }
TEST_CASE_TEMPLATE("losses of short rows", T, float, double) { check_matrices<T>(losses<T>); }
TEST_CASE_TEMPLATE("sums of short rows beside those of columns", T, float) { check_matrices<T>(beside_columns<T>); }

TEST_CASE_TEMPLATE("sums of rows and of columns at once", T, double, std::int32_t) { check_matrices<T>(both_ways<T>); }

// Where there are no lanes, rows are added to memory one by one.
constexpr double allowed_of_many = CROTON_HAS_XSIMD ? 2e-6 : 3e-5;

TEST_CASE("sums of many short rows are as exact as those of few, on one thread and on several") {
    const auto f = function<cpu>([](matrix<float> x) { return outputs(sum(sqrt(sum<1>(sqr(x)))), sum<0>(x)); });
    const auto g = function<cpu>([](tensor<float, -1, -1, -1> x) { return sum<0, 2>(x); });
    const auto h = function<cpu>([](matrix<float> x) { return outputs(sum<1>(x), sum<0>(x)); });
    for (const std::int64_t columns : {1, 3}) {
        const std::int64_t rows = 1'000'000;
        const auto x = support::numbers(1).fill<float, 2>({rows, columns}, 0, 1);
        double norms = 0, column[3] = {};
        for (std::int64_t i = 0; i < rows; ++i) {
            double squares = 0;
            for (std::int64_t j = 0; j < columns; ++j) {
                squares += static_cast<double>(x(i, j)) * static_cast<double>(x(i, j));
                column[j] += static_cast<double>(x(i, j));
            }
            norms += std::sqrt(squares);
        }
        array<float, 3> parts(rows / 2, columns, 2);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) parts(i / 2, j, i % 2) = x(i, j);
        for (const int count : {1, 2, 3}) {
            const auto scope = threads(count);
            const auto found = f(x);
            CHECK(std::get<0>(found)() == doctest::Approx(norms).epsilon(1e-6));
            const auto of_parts = g(parts);
            const auto beside = std::get<1>(h(x));
            for (std::int64_t j = 0; j < columns; ++j) {
                CHECK(std::get<1>(found)(j) == doctest::Approx(column[j]).epsilon(allowed_of_many));
                CHECK(beside(j) == doctest::Approx(column[j]).epsilon(allowed_of_many));
                CHECK(of_parts(j) == doctest::Approx(column[j]).epsilon(allowed_of_many));
            }
        }
    }
}

TEST_CASE("what is not a number stays in the sums of its rows") {
    const auto f = function<cpu>([](tensor<double, -1, -1, -1> x) { return outputs(sum<0, 2>(x), sum(log(sum<2>(x)))); });
    array<double, 3> x(50, 4, 3);
    x.fill(2.0);
    const auto [c, whole] = f(x);
    for (std::int64_t j = 0; j < 4; ++j) CHECK(c(j) == 300);
    CHECK(whole() == doctest::Approx(200 * std::log(6.0)));
    x(49, 2, 1) = std::nan("");
    const auto [d, lost] = f(x);
    for (std::int64_t j = 0; j < 4; ++j) CHECK(std::isnan(d(j)) == (j == 2));
    CHECK(std::isnan(lost()));
}
