// SPDX-License-Identifier: MIT
// Variances over everything, down columns and over any axes, in one pass over memory: as exact as two passes, and the same where numbers are none.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace croton;

namespace {

constexpr auto columns = [](matrix<float> x) { return outputs(mean<0>(x), var<0>(x), var(x, ddof(1)), stddev<0>(x, keepdims)); };
constexpr auto batch = [](tensor<float, -1, -1, -1, -1> x, tensor<float, -1, -1, -1, -1> y) {
    const auto z = x * 2 + y;
    const auto m = mean<0, 2, 3>(z, keepdims);
    return outputs((z - m) / sqrt(var<0, 2, 3>(z, keepdims) + 1e-5f), var<0, 2, 3>(x * y + 1, ddof(1)), var<1>(x), var<0, 2>(x), var<1, 2>(y), var<0, 1, 3>(x), var(exp(x)));
};

/// A column about its mean, in long double.
template <class T> void check_columns(const array<T, 2>& x, const array<T, 1>& m, const array<T, 1>& v, double allowed) {
    const std::int64_t n = x.extent(0);
    for (std::int64_t j = 0; j < x.extent(1); ++j) {
        long double mean = 0, squares = 0;
        for (std::int64_t i = 0; i < n; ++i) mean += x(i, j);
        mean /= static_cast<long double>(n);
        for (std::int64_t i = 0; i < n; ++i) squares += (x(i, j) - mean) * (x(i, j) - mean);
        squares /= static_cast<long double>(n);
        const long double unit = std::numeric_limits<T>::epsilon(), rounded = 4 * unit * mean * unit * mean;
        CAPTURE(n);
        CAPTURE(j);
        CHECK(std::fabs(static_cast<long double>(m(j)) - mean) <= allowed * unit * (std::fabs(mean) + std::sqrt(squares)));
        CHECK(std::fabs(static_cast<long double>(v(j)) - squares) <= allowed * unit * squares + rounded);
    }
}
/// Columns about different means and of different spreads; `slope` is what the first row and the last differ by.
template <class T> array<T, 2> matrix_of(std::int64_t rows, std::int64_t count, double mean, double slope, double spread = 1) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal(0, spread);
    array<T, 2> x(rows, count);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < count; ++j)
            x(i, j) = static_cast<T>(mean * static_cast<double>(j % 5) + slope * static_cast<double>(i) / static_cast<double>(rows) + normal(random));
    return x;
}
template <class A> void same(const A& a, const A& b, double allowed = 1e-5) {
    REQUIRE(a.extents() == b.extents());
    for (std::int64_t i = 0; i < a.size(); ++i) {
        CAPTURE(i);
        const auto u = a.data()[i], v = b.data()[i];
        CHECK(std::isnan(u) == std::isnan(v));
        if (!std::isnan(v)) CHECK((u == v || u == doctest::Approx(v).epsilon(allowed)));
    }
}

}  // namespace

TEST_CASE("variances of columns of any length, mean and order") {
    auto f = function<cpu>("columns", columns);
    for (const auto& [n, c] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1, 1}, {2, 1}, {31, 1}, {257, 1}, {3000, 1}, {1, 7}, {2, 7}, {33, 7}, {255, 7}, {1000, 7}, {9000, 7}, {1, 64}, {31, 64}, {256, 64}, {257, 64}, {4097, 64},
             {2, 70}, {32, 70}, {127, 70}, {129, 70}, {256, 70}, {257, 70}, {4096, 70}, {4097, 70}, {8193, 70},
             {1, 300}, {33, 300}, {256, 300}, {257, 300}, {1000, 300}, {3000, 300}, {100, 1100}, {300, 1100}}) {
        for (const auto& x : {matrix_of<float>(n, c, 0, 0), matrix_of<float>(n, c, 1000, 0), matrix_of<float>(n, c, -5, 1e4), matrix_of<float>(n, c, 1e6, 0, 10),
                              matrix_of<float>(n, c, 0, 0, 1e-15)}) {
            const auto [m, v, all, root] = f(x);
            check_columns(x, m, v, 24);
            for (std::int64_t j = 0; j < c; ++j) CHECK(root(0, j) == doctest::Approx(std::sqrt(v(j))));
            long double mean = 0, squares = 0;
            for (std::int64_t i = 0; i < x.size(); ++i) mean += x.data()[i];
            mean /= static_cast<long double>(x.size());
            for (std::int64_t i = 0; i < x.size(); ++i) squares += (x.data()[i] - mean) * (x.data()[i] - mean);
            if (x.size() > 1) CHECK(static_cast<double>(all) == doctest::Approx(static_cast<double>(squares / static_cast<long double>(x.size() - 1))).epsilon(1e-5));
            else CHECK(std::isnan(static_cast<float>(all)));
        }
    }
    // More than caches hold.
    auto far = function<cpu>("far", [](matrix<float> x) { return outputs(mean<0>(x), var<0>(x)); });
    for (const auto& [n, c] : std::vector<std::pair<std::int64_t, std::int64_t>>{{4099, 1100}, {70001, 65}}) {
        const array<float, 2> x = matrix_of<float>(n, c, -5, 1e4);
        const auto [m, v] = far(x);
        check_columns(x, m, v, 24);
    }
    // Strips of columns on several threads, and fewer of them than threads.
    const int before = threads();
    for (const int n : {2, 3}) {
        set_threads(n);
        for (const std::int64_t c : {20, 64, 130, 200, 333}) {
            const array<float, 2> x = matrix_of<float>(9001, c, -5, 1e4);
            const auto [m, v] = far(x);
            check_columns(x, m, v, 24);
        }
    }
    set_threads(before);
    auto g = function<cpu>("double", [](matrix<double> x) { return outputs(mean<0>(x), var<0>(x)); });
    for (const auto& x : {matrix_of<double>(5000, 9, 1e6, 1e5), matrix_of<double>(700, 300, 1e9, 1e3)}) {
        const auto [m, v] = g(x);
        check_columns(x, m, v, 64);
    }
    CHECK(std::string(explain(f)).find("2 passes") != std::string::npos);
    CHECK(std::string(explain(g)).find("plan: 1 step") != std::string::npos);
}

TEST_CASE("variances over any axes, of what is computed, and a batch norm") {
    auto f = function<cpu>("batch", batch);
    auto two_passes = function<reference>(batch);
    const auto filled = [](array<float, 4> x, float by) {
        for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919) % 1009) * by - 3;
        return x;
    };
    const auto check = [&](const array<float, 4>& x, const array<float, 4>& y) {
        const auto [a1, b1, c1, d1, e1, g1, h1] = f(x, y);
        const auto [a2, b2, c2, d2, e2, g2, h2] = two_passes(x, y);
        same(a1, a2, 1e-4);
        same(b1, b2);
        same(c1, c2);
        same(d1, d2);
        same(e1, e2);
        same(g1, g2);
        same(h1, h2);
    };
    check(filled(array<float, 4>(4, 6, 40, 41), 1e-3f), filled(array<float, 4>(4, 6, 40, 41), 2e-3f));
    check(filled(array<float, 4>(3, 50, 2, 17), 1e-3f), filled(array<float, 4>(3, 50, 2, 17), 2e-3f));
    check(filled(array<float, 4>(1, 1, 1, 1), 1e-3f), filled(array<float, 4>(1, 1, 1, 1), 2e-3f));
    check(array<float, 4>(0, 3, 2, 5), array<float, 4>(0, 3, 2, 5));
    const int before = threads();
    set_threads(2);
    check(filled(array<float, 4>(8, 5, 120, 130), 1e-3f), filled(array<float, 4>(8, 5, 120, 130), 2e-3f));
    set_threads(before);
}

TEST_CASE("columns that hold what is no number, and views") {
    auto f = function<cpu>("columns", columns);
    auto two_passes = function<reference>(columns);
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const auto check = [&](const auto& x) {
        const auto [a1, b1, c1, d1] = f(x);
        const auto [a2, b2, c2, d2] = two_passes(x);
        same(a1, a2);
        same(b1, b2);
        CHECK((c1 == c2 || std::isnan(static_cast<float>(c1)) == std::isnan(static_cast<float>(c2))));
        same(d1, d2);
    };
    array<float, 2> x = matrix_of<float>(900, 40, 3, 1);
    check(x);
    check(view<float, 2>(x.data(), {40, 900}, {1, 40}));
    check(x(slice(0, none, 2), slice(3, none, 3)));
    check(x(slice(none, none, -1), slice()));
    check(array<float, 2>(0, 3));
    check(array<float, 2>(3, 0));
    x(3, 1) = infinity;
    x(4, 2) = nan;
    x(5, 3) = infinity;
    x(6, 3) = -infinity;
    x(7, 4) = 3e38f;
    for (std::int64_t i = 0; i < 900; ++i) x(i, 5) = 0;
    check(x);
    const auto [m, v, all, root] = f(x);
    CHECK(v(5) == 0);
    CHECK(std::isnan(v(1)));
}

TEST_CASE("gradients of variances over any axes") {
    auto f = function<cpu>("gradients", [](matrix<double> x) { return outputs(grad(sum(sqr(var<0>(x))), x), grad(var(x), x), grad(sum(stddev<0>(x * x)), x)); });
    auto g = function<reference>([](matrix<double> x) { return outputs(grad(sum(sqr(var<0>(x))), x), grad(var(x), x), grad(sum(stddev<0>(x * x)), x)); });
    const array<double, 2> x = matrix_of<double>(60, 20, 1, 2);
    const auto [a1, b1, c1] = f(x);
    const auto [a2, b2, c2] = g(x);
    same(a1, a2, 1e-10);
    same(b1, b2, 1e-10);
    same(c1, c2, 1e-10);
}
