// SPDX-License-Identifier: MIT
// Products with a triangle: those of gemm, whichever side, whatever lies how in memory, and also where numbers are not finite.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <utility>

using namespace croton;

namespace {

using croton::detail::cpu_device::triangle, croton::detail::cpu_device::triangle_of;

template <class T> array<T, 2> numbers(std::int64_t rows, std::int64_t columns, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) x(i, j) = static_cast<T>(uniform(random));
    return x;
}

template <class T> void check_equal(const array<T, 2>& got, const array<T, 2>& wanted, double allowed) {
    REQUIRE(got.extents() == wanted.extents());
    double worst = 0;
    for (std::int64_t i = 0; i < got.extent(0); ++i)
        for (std::int64_t j = 0; j < got.extent(1); ++j) {
            const double a = static_cast<double>(got(i, j)), b = static_cast<double>(wanted(i, j));
            const bool same = a == b || (std::isnan(a) && std::isnan(b));
            worst = same ? worst : std::isfinite(a) && std::isfinite(b) ? std::max(worst, std::fabs(a - b)) : 1e30;
        }
    CHECK(worst <= allowed);
}

template <class T> constexpr auto products = [](matrix<T> a, matrix<T> b) {
    const auto l = tril(a), u = triu(a), t = transpose(l);
    return std::tuple(dot(l, b), dot(u, b), dot(t, b), -0.5 * dot(transpose(u), b), dot(transpose(b), l), dot(transpose(b), transpose(u)), transpose(dot(l, b)));
};

template <class T> void check_products(std::int64_t n, std::int64_t columns, double allowed, bool special) {
    auto f = function<cpu>("triangles", products<T>);
    auto plain = function<reference>("plain", products<T>);
    const array<T, 2> a = numbers<T>(n, n, 1);
    array<T, 2> b = numbers<T>(n, columns, 2);
    if (special) {
        b(0, 0) = std::numeric_limits<T>::infinity();
        b(n - 1, columns / 2) = std::numeric_limits<T>::quiet_NaN();
    }
    CAPTURE(n);
    CAPTURE(columns);
    const auto got = f(a, b), wanted = plain(a, b);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check_equal(std::get<I>(got), std::get<I>(wanted), allowed), ...);
    }(std::make_index_sequence<7>());
}

}  // namespace

TEST_CASE("a triangle is found by its zeros") {
    array<float, 2> x = numbers<float>(70, 70, 3);
    const auto kind = [&](bool turned) {
        return triangle_of(kernel::matrix<const float>{x.data(), 70, 70, turned ? 1 : 70, turned ? 70 : 1});
    };
    CHECK(kind(false) == triangle::none);
    x(0, 69) = 0;
    CHECK(kind(false) == triangle::none);
    for (std::int64_t i = 0; i < 70; ++i)
        for (std::int64_t j = i + 1; j < 70; ++j) x(i, j) = 0;
    CHECK(kind(false) == triangle::lower);
    CHECK(kind(true) == triangle::upper);
    x(40, 41) = std::numeric_limits<float>::quiet_NaN();
    CHECK(kind(false) == triangle::none);
    CHECK(kind(true) == triangle::none);
    x(40, 41) = -0.0f;
    for (std::int64_t i = 0; i < 70; ++i)
        for (std::int64_t j = 0; j < i; ++j) std::swap(x(i, j), x(j, i));
    CHECK(kind(false) == triangle::upper);
    CHECK(kind(true) == triangle::lower);
    x(69, 68) = 1;
    CHECK(kind(false) == triangle::none);
    CHECK(triangle_of(kernel::matrix<const float>{x.data(), 70, 69, 70, 1}) == triangle::none);
}

TEST_CASE("products with a triangle are those with its zeros") {
    for (const std::int64_t n : {15, 64, 65, 130, 300})
        for (const std::int64_t columns : {1, 31, 32, 70}) {
            check_products<float>(n, columns, 1e-4, false);
            check_products<float>(n, columns, 1e-4, true);
        }
    check_products<double>(130, 70, 1e-12, true);
    check_products<double>(130, 70, 1e-12, false);
}

TEST_CASE("a factor of Cholesky's times a matrix, and a triangle in an update") {
    constexpr auto products = [](matrix<double, dim("n"), dim("n")> a, matrix<double> b) {
        const auto l = cholesky(dot(a, transpose(a)) + 4 * eye<dim("n")>(a));
        return std::tuple(dot(l, b), dot(transpose(l), b));
    };
    auto f = function<cpu>("factor", products);
    auto plain = function<reference>("plain", products);
    const array<double, 2> square = numbers<double>(90, 90, 4), columns = numbers<double>(90, 40, 5);
    const auto [x, y] = f(square, columns);
    const auto [wanted_x, wanted_y] = plain(square, columns);
    check_equal(x, wanted_x, 1e-10);
    check_equal(y, wanted_y, 1e-10);
    auto step = function<cpu>("step", [](matrix<double> a, shared<matrix<double>> w) { return updates(update(w, dot(tril(a), w))); });
    array<double, 2> changed = columns;
    step(square, changed);
    auto once = function<reference>("once", [](matrix<double> a, matrix<double> w) { return dot(tril(a), w); });
    check_equal(changed, once(square, columns), 1e-12);
}
