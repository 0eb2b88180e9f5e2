// SPDX-License-Identifier: MIT
// Sums down few columns of many rows, of which several are one run: every number of columns and of rows that is near a limit, in numbers whose sums are exact.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T> array<T, 2> matrix_of(std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7919 % 31 - (std::is_unsigned_v<T> ? 0 : 15));
    return x;
}

/// `f` of each element down column `j`.
template <class M, class F> void down(const M& x, std::int64_t j, F f) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) f(i, static_cast<double>(x(i, j)));
}

template <class M, class R, class L> void check_sums(const M& x, const R& sums, const L& least) {
    for (std::int64_t j = 0; j < x.extent(1); ++j) {
        double sum = 0, smallest = 1000;
        down(x, j, [&](std::int64_t, double v) { sum += v, smallest = std::min(smallest, v); });
        REQUIRE(static_cast<double>(sums(j)) == sum);
        REQUIRE(static_cast<double>(least(j)) == smallest);
    }
}

constexpr std::int64_t all_rows[] = {1, 127, 129, 193, 640, 1000, 8192, 8193, 20000}, all_columns[] = {1, 2, 3, 5, 7, 8, 12, 16, 17, 31, 33, 64, 100, 130};

/// Sums in the element type, and such rows that are `step` apart.
template <class T, class Sum> void check_type() {
    const auto plain = function<cpu>([](matrix<T> x) { return outputs(sum<0>(cast<Sum>(x)), cast<Sum>(min<0>(x))); });
    for (const std::int64_t rows : all_rows)
        for (const std::int64_t columns : all_columns) {
            if (rows * columns > 300000) continue;
            CAPTURE(rows);
            CAPTURE(columns);
            const auto x = matrix_of<T>(rows, columns);
            const auto [sums, least] = plain(x);
            check_sums(x, sums, least);
            const auto turned = x(slice(none, none, -1));
            const auto [sums_of_turned, least_of_turned] = plain(turned);
            check_sums(turned, sums_of_turned, least_of_turned);
            const auto part = matrix_of<T>(rows, columns + 3)(slice(none, none), slice(2, columns + 2));
            const auto [sums_of_part, least_of_part] = plain(part);
            check_sums(part, sums_of_part, least_of_part);
        }
}

}  // namespace

TEST_CASE("sums and extremes down few columns of every element type") {
    check_type<float, float>();
    check_type<double, double>();
    check_type<std::int32_t, std::int32_t>();
    check_type<std::int64_t, std::int64_t>();
    check_type<std::uint8_t, std::int32_t>();
    check_type<std::int16_t, float>();
}

TEST_CASE("truth down few columns") {
    const auto both = function<cpu>([](matrix<float> x) { return outputs(any<0>(x > 14), croton::all<0>(x > -15)); });
    for (const std::int64_t rows : all_rows)
        for (const std::int64_t columns : {1, 3, 5, 17}) {
            const auto x = matrix_of<float>(rows, columns);
            const auto [some, every] = both(x);
            for (std::int64_t j = 0; j < columns; ++j) {
                bool one = false, each = true;
                down(x, j, [&](std::int64_t, double v) { one = one || v > 14, each = each && v > -15; });
                REQUIRE(some(j) == one);
                REQUIRE(every(j) == each);
            }
        }
}

TEST_CASE("what stands still beside, what moves from row to row, and what is stored") {
    const auto still = function<cpu>([](matrix<float> x, vector<float> c) { return sum<0>(sqr(x - c)); });
    const auto weighted = function<cpu>([](matrix<float> x, vector<float> w) { return sum<0>(x * newaxis<1>(w)); });
    const auto stored = function<cpu>([](matrix<float> x, vector<float> c) { return outputs(x * c, sum<0>(x * c), max<0>(x * c)); });
    const auto one_number = function<cpu>([](matrix<double> x, scalar<double> c) { return sum<0>(x * c); });
    const auto of_rank_3 = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return sum<1>(x); });
    const auto of_both = function<cpu>([](tensor<float, dynamic, dynamic, dynamic> x) { return sum<0, 1>(x); });
    for (const std::int64_t rows : all_rows)
        for (const std::int64_t columns : {1, 3, 5, 8, 17, 33}) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto x = matrix_of<float>(rows, columns);
            array<float, 1> c(columns), w(rows);
            for (std::int64_t j = 0; j < columns; ++j) c(j) = static_cast<float>(j % 3 - 1);
            for (std::int64_t i = 0; i < rows; ++i) w(i) = static_cast<float>(i % 3);
            const auto squares = still(x, c), products = weighted(x, w);
            const auto twice = one_number(matrix_of<double>(rows, columns), 2.0);
            const auto [all_products, sums, largest] = stored(x, c);
            array<float, 3> several(2, rows, columns);
            several(0) = x;
            several(1) = 2 * x;
            const float* const products_of = all_products.data();
            bool as_stored = true;
            const auto each = of_rank_3(several);
            const auto both = of_both(several);
            for (std::int64_t j = 0; j < columns; ++j) {
                double square = 0, product = 0, plain = 0, scaled = 0, most = -1000;
                const double at = static_cast<double>(c(j));
                down(x, j, [&](std::int64_t i, double v) {
                    square += (v - at) * (v - at);
                    product += v * static_cast<double>(i % 3);
                    plain += v;
                    scaled += v * at;
                    most = std::max(most, v * at);
                    as_stored = as_stored && static_cast<double>(products_of[i * columns + j]) == v * at;
                });
                REQUIRE(static_cast<double>(squares(j)) == square);
                REQUIRE(static_cast<double>(products(j)) == product);
                REQUIRE(static_cast<double>(sums(j)) == scaled);
                REQUIRE(static_cast<double>(largest(j)) == most);
                REQUIRE(twice(j) == 2 * plain);
                REQUIRE(static_cast<double>(each(0, j)) == plain);
                REQUIRE(static_cast<double>(each(1, j)) == 2 * plain);
                REQUIRE(static_cast<double>(both(j)) == 3 * plain);
            }
            REQUIRE(as_stored);
        }
}

TEST_CASE("the number of a row as a value") {
    const auto places = function<cpu>([](matrix<float> x) { return outputs(argmax<0>(x), argmin<0>(x)); });
    const auto weighted = function<cpu>([](matrix<double> x) { return sum<0>(x * newaxis<1>(cast<double>(arange(x.extent(0))))); });
    for (const std::int64_t rows : all_rows)
        for (const std::int64_t columns : all_columns) {
            if (rows * columns > 300000) continue;
            CAPTURE(rows);
            CAPTURE(columns);
            auto x = matrix_of<float>(rows, columns);
            // The largest is there once, or many times, and may be the last.
            if (columns > 1 && rows > 130) x(rows - 1, 1) = 100, x(rows - 3, 0) = -100;
            if (columns > 2 && rows > 500) x(300, 2) = std::numeric_limits<float>::quiet_NaN();
            const auto [largest, smallest] = places(x);
            const auto sums = weighted(matrix_of<double>(rows, columns));
            for (std::int64_t j = 0; j < columns; ++j) {
                std::int64_t high = 0, low = 0;
                bool number = true;
                double sum = 0;
                down(x, j, [&](std::int64_t i, double v) {
                    if (number && (v > static_cast<double>(x(high, j)) || std::isnan(v))) high = i;
                    if (number && (v < static_cast<double>(x(low, j)) || std::isnan(v))) low = i;
                    number = number && !std::isnan(v);
                    sum += static_cast<double>(i * ((i * columns + j) * 7919 % 31 - 15));
                });
                REQUIRE(largest(j) == high);
                REQUIRE(smallest(j) == low);
                REQUIRE(sums(j) == sum);
            }
        }
}

TEST_CASE("spreads of few columns") {
    const auto spread = function<cpu>([](matrix<double> x) { return outputs(mean<0>(x), var<0>(x)); });
    for (const std::int64_t rows : all_rows)
        for (const std::int64_t columns : {1, 2, 3, 8, 17, 33, 64})
            for (const double far : {0.0, 1e6}) {
                CAPTURE(rows);
                CAPTURE(columns);
                auto x = matrix_of<double>(rows, columns);
                for (std::int64_t j = 0; j < columns; ++j)
                    for (std::int64_t i = 0; i < rows; ++i) x(i, j) += far + static_cast<double>(j);
                const auto [means, variances] = spread(x);
                for (std::int64_t j = 0; j < columns; ++j) {
                    double sum = 0, squares = 0;
                    down(x, j, [&](std::int64_t, double v) { sum += v; });
                    const double middle = sum / static_cast<double>(rows);
                    down(x, j, [&](std::int64_t, double v) { squares += (v - middle) * (v - middle); });
                    REQUIRE(means(j) == doctest::Approx(middle).epsilon(1e-14));
                    REQUIRE(variances(j) == doctest::Approx(squares / static_cast<double>(rows)).epsilon(1e-11));
                }
            }
}

TEST_CASE("sums of floats lose no more than those of longer rows") {
    array<float, 2> x(100000, 3);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = 0.1f + static_cast<float>(i % 1013) * 1e-3f;
    const auto sums = function<cpu>([](matrix<float> m) { return sum<0>(m); })(x);
    for (std::int64_t j = 0; j < 3; ++j) {
        double sum = 0;
        down(x, j, [&](std::int64_t, double v) { sum += v; });
        CHECK(std::abs(static_cast<double>(sums(j)) - sum) < 2e-6 * sum);
    }
}

TEST_CASE("threads share the rows of few columns") {
    const auto each = function<cpu>([](matrix<float> x, vector<float> c) {
        return outputs(sum<0>(x * c), max<0>(x), argmin<0>(x), sum(x), sum<0>(x * c + newaxis<1>(sum<1>(x))));
    });
    const auto spread = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> x) { return outputs(mean<0, 1>(x), var<0, 1>(x), var<0>(x)); });
    for (const std::int64_t columns : {1, 3, 16, 33, 100, 1000}) {
        CAPTURE(columns);
        const std::int64_t rows = 1'000'000 / columns;
        const auto x = matrix_of<float>(rows, columns);
        array<float, 1> c(columns);
        for (std::int64_t j = 0; j < columns; ++j) c(j) = static_cast<float>(j % 3 - 1);
        array<double, 3> deep(4, rows / 4, columns);
        for (std::int64_t i = 0; i < deep.size(); ++i) deep.data()[i] = 1000 + x.data()[i];
        const auto [sums, largest, places, all_of_them, rest] = [&] {
            const auto one = threads(1);
            return each(x, c);
        }();
        const auto [means, variances, lines] = [&] {
            const auto one = threads(1);
            return spread(deep);
        }();
        for (const int n : {2, 3, 7, 64}) {
            CAPTURE(n);
            const auto some = threads(n);
            const auto [sums_of_some, largest_of_some, places_of_some, all_of_some, rest_of_some] = each(x, c);
            CHECK(std::ranges::equal(sums_of_some, sums));
            CHECK(std::ranges::equal(largest_of_some, largest));
            CHECK(std::ranges::equal(places_of_some, places));
            CHECK(all_of_some() == all_of_them());
            CHECK(std::ranges::equal(rest_of_some, rest));
            const auto [means_of_some, variances_of_some, lines_of_some] = spread(deep);
            for (std::int64_t j = 0; j < columns; ++j) {
                REQUIRE(means_of_some(j) == doctest::Approx(means(j)).epsilon(1e-14));
                REQUIRE(variances_of_some(j) == doctest::Approx(variances(j)).epsilon(1e-12));
                REQUIRE(lines_of_some(0, j) == doctest::Approx(lines(0, j)).epsilon(1e-12));
            }
            // The same number of threads gives the same bits.
            const auto [means_again, variances_again, lines_again] = spread(deep);
            CHECK(std::ranges::equal(means_again, means_of_some));
            CHECK(std::ranges::equal(variances_again, variances_of_some));
        }
    }
}
