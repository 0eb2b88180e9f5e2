// SPDX-License-Identifier: MIT
// Determinants, equations and triangles of many small matrices, one in each lane, beside the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "device/cpu/beside_reference.hpp"
#include "ops/support.hpp"

using namespace croton;

namespace {

template <class T> constexpr auto all_of_determinants = [](tensor<T, -1, -1, -1> x) {
    const auto logarithm = slogdet(x);
    return outputs(det(x), logarithm.sign, logarithm.logabsdet);
};
template <class T> constexpr auto of_rows = [](tensor<T, -1, -1, -1, -1> x) { return det(x); };
template <class T> constexpr auto inverses = [](tensor<T, -1, -1, -1> x) { return inv(x); };
template <class T> constexpr auto equations = [](tensor<T, -1, -1, -1> a, tensor<T, -1, -1, -1> b) {
    auto x = solve(a, b);
    auto [da, db] = grad(sum(sqr(x)), a, b);
    return outputs(x, da, db);
};
template <class T> constexpr auto triangles = [](tensor<T, -1, -1, -1> a, tensor<T, -1, -1, -1> b) {
    auto upper = solve_triangular(a, b), lower = solve_triangular(a, b, {.lower = true});
    auto [of_upper, of_b] = grad(sum(sqr(upper)), a, b);
    return outputs(upper, lower, of_upper, of_b);
};
template <class T> constexpr auto roots = [](tensor<T, -1, -1, -1> x) { return cholesky(matmul(x, transpose<0, 2, 1>(x))); };

/// Numbers on and above the diagonal that are larger in no order, so that columns are exchanged.
template <class T, int Rank> array<T, Rank> made(const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents) {
    array<T, Rank> x = support::numbers(7).fill<T, Rank>(extents, -2, 2);
    return x;
}

// Rounding errors of determinants grow with what is divided by.
constexpr double of_float = 1e-3;
/// Calls f(count, n) for as many matrices and sizes as there are around what stands in lanes.
template <class F> void each_size(const F& f) {
    for (const std::int64_t count : {1, 15, 31, 32, 33, 64, 100, 1023})
        for (std::int64_t n = 1; n < 10; ++n) {
            // Among so many some are nearly singular, and these are the matter of a library.
            if (n == 9 && count > 100) continue;
            CAPTURE(count);
            CAPTURE(n);
            f(count, n);
        }
}

}  // namespace

TEST_CASE_TEMPLATE("determinants of matrices of every size around what stands in lanes", T, float, double) {
    const auto f = function<cpu>(all_of_determinants<T>);
    const auto right = function<reference>(all_of_determinants<T>);
    each_size([&](std::int64_t count, std::int64_t n) {
        array<T, 3> x = made<T, 3>({count, n, n});
        check_same(f(x), right(x), of_float);
        // However they lie.
        const auto by_columns = x.template transpose<0, 2, 1>();
        check_same(f(by_columns), right(by_columns), of_float);
        const array<T, 3> last = made<T, 3>({n, n, count});
        const auto turned = last.template transpose<2, 0, 1>();
        check_same(f(turned), right(turned), of_float);
        const array<T, 3> wide = made<T, 3>({count, n, 2 * n});
        const auto every_second = wide.slice(2, 0, 2 * n, 2);
        check_same(f(every_second), right(every_second), of_float);
        // Some that are singular, beside others: of a zero column, of equal rows, of nothing.
        for (std::int64_t b = 0; b < count; b += 3)
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j)
                    if (b % 9 == 0 || (b % 9 == 3 ? j == n / 2 : i == n - 1 && n > 1)) x(b, i, j) = b % 9 == 6 ? x(b, 0, j) : T(0);
        const array<T, 1> some = std::get<0>(f(x)), expected = std::get<0>(right(x));
        for (std::int64_t b = 0; b < count; ++b)
            if (b % 9 != 6) CHECK(static_cast<double>(some(b)) == doctest::Approx(static_cast<double>(expected(b))).epsilon(1e-4));
            // Of equal rows rounding errors are left, of the largest determinant that there is.
            else if (n > 1) CHECK(std::abs(static_cast<double>(some(b))) <= 1e-6 * std::pow(2 * std::sqrt(static_cast<double>(n)), static_cast<double>(n)));
    });
}

TEST_CASE_TEMPLATE("batches of two axes, on several threads", T, float, double) {
    const auto f = function<cpu>(of_rows<T>);
    const auto right = function<reference>(of_rows<T>);
    for (const int n : {1, 3}) {
        const auto used = threads(n);
        const array<T, 4> x = made<T, 4>({7, 130, 3, 3});
        check_same(f(x), right(x), of_float);
        const auto turned = x.template transpose<1, 0, 2, 3>();
        check_same(f(turned), right(turned), of_float);
        const array<T, 4> many = made<T, 4>({3, 40'000, 2, 2});
        check_same(f(many), right(many), of_float);
        const array<T, 4> nothing(0, 40, 2, 2);
        CHECK(f(nothing).extent(0) == 0);
    }
}

TEST_CASE_TEMPLATE("inverses", T, float, double) {
    const auto f = function<cpu>(inverses<T>);
    const auto right = function<reference>(inverses<T>);
    each_size([&](std::int64_t count, std::int64_t n) {
        array<T, 3> x = made<T, 3>({count, n, n});
        for (std::int64_t b = 0; b < count; ++b)
            for (std::int64_t i = 0; i < n; ++i) x(b, i, (i + b) % n) += static_cast<T>(5 * n);
        check_same(f(x), right(x), of_float);
    });
}

TEST_CASE_TEMPLATE("equations and triangles", T, float, double) {
    const auto f = function<cpu>(equations<T>);
    const auto right = function<reference>(equations<T>);
    const auto g = function<cpu>(triangles<T>);
    const auto right_g = function<reference>(triangles<T>);
    const auto h = function<cpu>(roots<T>);
    const auto right_h = function<reference>(roots<T>);
    for (const std::int64_t count : {1, 15, 32, 33, 100, 1023})
        for (const std::int64_t n : {1, 2, 3, 5, 8, 9})
            for (const std::int64_t m : {1, 2, 16, 17}) {
                if (m > 2 && count > 100) continue;
                CAPTURE(count);
                CAPTURE(n);
                CAPTURE(m);
                array<T, 3> a = made<T, 3>({count, n, n});
                for (std::int64_t b = 0; b < count; ++b)
                    for (std::int64_t i = 0; i < n; ++i) a(b, i, (i + b) % n) += static_cast<T>(5 * n);
                const array<T, 3> b = made<T, 3>({count, n, m});
                check_same(f(a, b), right(a, b), 1e-4);
                const array<T, 3> turned = made<T, 3>({m, n, count});
                const auto seen = turned.template transpose<2, 1, 0>();
                check_same(f(a, seen), right(a, seen), 1e-4);
                a = made<T, 3>({count, n, n});
                for (std::int64_t k = 0; k < count; ++k)
                    for (std::int64_t i = 0; i < n; ++i) a(k, i, i) = static_cast<T>(5 * n);
                check_same(g(a, b), right_g(a, b), 1e-4);
                check_same(h(a), right_h(a), 1e-4);
            }
}

TEST_CASE("the first matrix that fails is named") {
    const auto f = function<cpu>("f", [](tensor<double, -1, -1, -1> a, tensor<double, -1, -1, -1> b) { return solve(a, b); });
    const auto g = function<cpu>("g", [](tensor<double, -1, -1, -1> a) { return cholesky(a); });
    for (const int n : {1, 2}) {
        const auto used = threads(n);
        for (const std::int64_t count : {33, 5000}) {
            array<double, 3> a(count, 2, 2), b(count, 2, 1);
            for (std::int64_t k = 0; k < count; ++k) a(k, 0, 0) = a(k, 1, 1) = 1, b(k, 0, 0) = b(k, 1, 0) = static_cast<double>(k);
            CHECK(f(a, b) == b);
            CHECK(g(a) == a);
            a(count - 1, 1, 1) = a(count - 2, 0, 0) = 0;
            const std::string which = "singular matrix (matrix " + std::to_string(count - 2) + " of " + std::to_string(count) + ", counted from 0)";
            CHECK_THROWS_WITH_AS(f(a, b), ("f: solve: " + which).c_str(), value_error);
            CHECK_THROWS_AS(g(a), value_error);
            a(count - 1, 1, 1) = a(count - 2, 0, 0) = std::numeric_limits<double>::quiet_NaN();
            CHECK(std::isnan(f(a, b)(count - 1, 1, 0)));
            CHECK_THROWS_AS(g(a), value_error);
        }
    }
}

TEST_CASE("a matrix that is no number spoils no other") {
    array<double, 3> x = made<double, 3>({64, 3, 3});
    const auto f = function<cpu>([](tensor<double, -1, -1, -1> a) { return det(a); });
    const array<double, 1> before = f(x);
    x(10, 1, 1) = std::numeric_limits<double>::quiet_NaN();
    x(11, 0, 2) = std::numeric_limits<double>::infinity();
    const array<double, 1> after = f(x);
    for (std::int64_t b = 0; b < 64; ++b) {
        if (b == 10) CHECK(std::isnan(after(b)));
        else if (b == 11) CHECK(!std::isfinite(after(b)));
        else CHECK(after(b) == before(b));
    }
}
