// SPDX-License-Identifier: MIT
// Variances in one pass over memory: as exact as two passes whatever the mean, the order and the length of the rows.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace croton;

namespace {

/// The mean and the variance of a row in long double.
template <class T> std::pair<long double, long double> exact(const array<T, 2>& x, std::int64_t row) {
    const std::int64_t n = x.extent(1);
    long double mean = 0, squares = 0;
    for (std::int64_t j = 0; j < n; ++j) mean += x(row, j);
    mean /= static_cast<long double>(n);
    for (std::int64_t j = 0; j < n; ++j) squares += (x(row, j) - mean) * (x(row, j) - mean);
    return {mean, squares / static_cast<long double>(n)};
}

/// Rows about `mean`, each as far from the one before it as `apart` says; `slope` is what the first element and the last differ by.
template <class T> array<T, 2> rows(std::int64_t count, std::int64_t length, double mean, double apart, double slope, double spread = 1) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal(0, spread);
    array<T, 2> x(count, length);
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < length; ++j)
            x(i, j) = static_cast<T>(mean + apart * static_cast<double>(i % 3) + slope * static_cast<double>(j) / static_cast<double>(length) + normal(random));
    return x;
}

template <class T> auto both() {
    return function<cpu>("both", [](matrix<T> x) { return outputs(mean<1>(x), var<1>(x)); });
}

template <class T, class F> void check(F& f, const array<T, 2>& x, double allowed) {
    const auto [m, v] = f(x);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const auto [mean, variance] = exact(x, i);
        // Where the mean is rounded, its error squared is added, as in two passes.
        const long double unit = std::numeric_limits<T>::epsilon(), rounded = 4 * unit * mean * unit * mean;
        CAPTURE(x.extent(1));
        CAPTURE(i);
        CHECK(std::fabs(static_cast<long double>(m(i)) - mean) <= allowed * unit * (std::fabs(mean) + std::sqrt(variance)));
        CHECK(std::fabs(static_cast<long double>(v(i)) - variance) <= allowed * unit * variance + rounded);
    }
}

}  // namespace

TEST_CASE("variances of rows of any length, mean and order") {
    auto f = both<float>();
    for (const std::int64_t n : {1, 2, 100, 511, 512, 1000, 4095, 4096, 16384, 16385, 50000}) {
        check(f, rows<float>(5, n, 0, 0, 0), 16);
        check(f, rows<float>(5, n, 1000, 0, 0), 16);
        check(f, rows<float>(40, std::min<std::int64_t>(n, 5000), 0, 1000, 0), 16);
        check(f, rows<float>(3, n, -5, 0, 1e4), 16);
        check(f, rows<float>(3, n, 1e6, 0, 0, 10), 16);
        check(f, rows<float>(3, n, 0, 0, 0, 1e-15), 16);
    }
    auto g = both<double>();
    check(g, rows<double>(3, 20000, 1e6, 1e5, 0), 64);
    check(g, rows<double>(4, 700, 1e9, 1e5, 1e3), 64);
}

TEST_CASE("a row keeps its digits behind one whose mean is far away") {
    auto f = both<float>();
    for (const std::int64_t n : {1, 3, 100, 1000, 8193}) {
        array<float, 2> x = rows<float>(36, n, 1, 0, 0);
        for (std::int64_t j = 0; j < n; ++j) {
            x(0, j) += 1e7f;
            x(20, j) -= 1e7f;
            x(21, j) *= 1e-6f;
        }
        check(f, x, 16);
    }
}

TEST_CASE("variances of vectors, and of what is no vector in memory") {
    auto f = function<cpu>("of a vector", [](vector<float> x) { return outputs(mean(x), var(x), (x - mean(x)) / stddev(x)); });
    const auto compare = [&](const array<float, 2>& x) {
        const auto [m, v, normal] = f(x(0));
        const auto [mean, variance] = exact(x, 0);
        const double size = std::fabs(static_cast<double>(mean)) + std::sqrt(static_cast<double>(variance));
        CAPTURE(x.extent(1));
        CHECK(std::fabs(static_cast<double>(m() - mean)) <= 2e-6 * size);
        CHECK(std::fabs(static_cast<double>(v() - variance)) <= 2e-6 * static_cast<double>(variance) + 1e-13 * size * size);
        if (x.extent(1) > 2)
            for (const std::int64_t j : {std::int64_t{0}, x.extent(1) / 2, x.extent(1) - 1})
                CHECK(normal(j) == doctest::Approx(static_cast<double>((x(0, j) - mean) / std::sqrt(variance))).epsilon(1e-4).scale(size));
    };
    for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 64, 100, 1000, 2049, 8192, 8193, 16384, 16385, 70000}) {
        compare(rows<float>(1, n, 0, 0, 0));
        compare(rows<float>(1, n, 2, 0, 0));
        compare(rows<float>(1, n, 1000, 0, 0));
        compare(rows<float>(1, n, -5, 0, 100));
    }
    const array<float, 2> x = rows<float>(300, 4, 3, 0, 0);
    const auto [m, v, normal] = f(x(slice(), 1));
    array<float, 2> column(1, 300);
    for (std::int64_t i = 0; i < 300; ++i) column(0, i) = x(i, 1);
    CHECK(m() == doctest::Approx(static_cast<double>(exact(column, 0).first)).epsilon(1e-6));
    CHECK(v() == doctest::Approx(static_cast<double>(exact(column, 0).second)).epsilon(1e-6));
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float odd : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
        array<float, 1> y(1000);
        y(500) = odd;
        const auto [mean, variance, rest] = f(y);
        CHECK((std::isnan(odd) ? std::isnan(mean()) : mean() == odd));
        CHECK(std::isnan(variance()));
    }
    array<float, 1> large(1000);
    large(3) = 3e38f;
    const auto [mean_of_large, var_of_large, rest] = f(large);
    CHECK(mean_of_large() == doctest::Approx(3e35f));
    CHECK(var_of_large() == infinity);
    const auto [mean_of_none, var_of_none, nothing] = f(array<float, 1>(0));
    CHECK(std::isnan(mean_of_none()));
    CHECK(std::isnan(var_of_none()));
    CHECK(nothing.size() == 0);
}

TEST_CASE("equal numbers have no variance, and those that are no numbers the same as in two passes") {
    auto f = both<float>();
    auto two_passes = function<reference>([](matrix<float> x) { return outputs(mean<1>(x), var<1>(x)); });
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for (const std::int64_t n : {600, 5000, 40000}) {
        array<float, 2> x(9, n);
        for (std::int64_t i = 0; i < 9; ++i)
            for (std::int64_t j = 0; j < n; ++j) x(i, j) = i < 2 ? 0.1f * static_cast<float>(i) : static_cast<float>((i * j) % 7);
        x(3, n / 2) = infinity;
        x(4, n - 1) = nan;
        x(5, 0) = infinity;
        x(5, 1) = -infinity;
        x(6, 17) = 3e38f;
        x(7, 17) = -infinity;
        const auto [m, v] = f(x);
        const auto [expected_mean, expected] = two_passes(x);
        CHECK(v(0) == 0);
        CHECK(v(1) <= 1e-14f);
        for (std::int64_t i = 2; i < 9; ++i) {
            CAPTURE(i);
            CHECK(std::isnan(m(i)) == std::isnan(expected_mean(i)));
            CHECK(std::isnan(v(i)) == std::isnan(expected(i)));
            if (!std::isnan(m(i))) CHECK((m(i) == expected_mean(i) || m(i) == doctest::Approx(expected_mean(i))));
            if (!std::isnan(v(i))) CHECK((v(i) == expected(i) || v(i) == doctest::Approx(expected(i))));
        }
    }
}

TEST_CASE("the variance of what is computed, and a layer norm") {
    auto f = function<cpu>("computed", [](matrix<float> x, vector<float> w) {
        const auto y = exp(x) * w, m = mean<1>(y, keepdims), v = var<1>(y, keepdims);
        return outputs((y - m) / sqrt(v + 1e-5f), var<1>(y, ddof(1)), var<1>(transpose(x)));
    });
    const array<float, 2> x = rows<float>(20, 3000, 0.5, 0.25, 0.5);
    array<float, 1> w(3000);
    for (std::int64_t j = 0; j < 3000; ++j) w(j) = 1 + 1e-4f * static_cast<float>(j);
    const auto [normal, spread, across] = f(x, w);
    for (std::int64_t i = 0; i < 20; ++i) {
        array<double, 2> y(1, 3000);
        for (std::int64_t j = 0; j < 3000; ++j) y(0, j) = std::exp(static_cast<double>(x(i, j))) * static_cast<double>(w(j));
        const auto [mean, variance] = exact(y, 0);
        CHECK(spread(i) == doctest::Approx(static_cast<double>(variance) * 3000 / 2999).epsilon(1e-5));
        for (std::int64_t j = 0; j < 3000; j += 97)
            CHECK(normal(i, j) == doctest::Approx(static_cast<double>((y(0, j) - mean) / std::sqrt(variance + 1e-5L))).epsilon(1e-4));
    }
    array<float, 2> column(1, 20);
    for (std::int64_t i = 0; i < 20; ++i) column(0, i) = x(i, 1234);
    CHECK(across(1234) == doctest::Approx(static_cast<double>(exact(column, 0).second)).epsilon(1e-5));
}

TEST_CASE("several threads share a row") {
    auto f = both<float>();
    const int before = threads();
    set_threads(2);
    check(f, rows<float>(1, 3'000'000, 100, 0, 50), 16);
    set_threads(before);
}
