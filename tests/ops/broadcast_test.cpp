// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"

using namespace croton;
using support::layout;

namespace {

constexpr auto mixed = [](matrix<float> m, vector<float> v, vector<float> u, scalar<float> s) {
    return std::tuple(m + v, v - m, m * newaxis<1>(u), expand_dims<1>(u) / (1 + newaxis<0>(v) * expand_dims<-2>(v)), s - m,
                      m * s, maximum(m, v), where(m > v, m, s), where(newaxis<1>(u > 0), s, m),
                      clip(m, -s, newaxis<1>(u + 3)));
};

constexpr auto literals = [](matrix<float> m, scalar<float> s) {
    return std::tuple(2 - m, m - 2, 0.5 * m, 1 / (m * m + 1), maximum(m, 0), where(m > 0.25, 1, m),
                      where(m < 0, m, -1.5), pow(m * m + 1, 1.5), minimum(1, s), m == m, 0 <= m);
};

template <class Device> void check_mixed() {
    auto f = function<Device>(mixed);
    support::numbers random(5);
    for (const auto& extents : {extents_of<2>{1, 1}, {3, 5}, {0, 4}, {4, 0}, {2, 17}, {33, 16}, {257, 3}}) {
        const auto n = extents[0], k = extents[1];
        const auto m = random.fill<float, 2>({n, k});
        const auto v = random.fill<float, 1>({k}), u = random.fill<float, 1>({n});
        const float s = 0.75f;
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            INFO(support::device_name<Device>()
                 << " [" << n << "," << k << "] " << support::name_of(static_cast<layout>(l)));
            const support::placed<float, 2> pm(m, static_cast<layout>(l));
            const support::placed<float, 1> pv(v, static_cast<layout>((l + 2) % static_cast<int>(layout::count))),
                pu(u, static_cast<layout>(l));
            const auto [sum, difference, column, outer, from_scalar, by_scalar, larger, chosen, by_row, held] =
                f(pm.get(), pv.get(), pu.get(), s);
            bool same = true;
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < k; ++j) {
                    const float x = m(i, j);
                    same = same && sum(i, j) == x + v(j) && difference(i, j) == v(j) - x && column(i, j) == x * u(i) &&
                           outer(i, j) == doctest::Approx(u(i) / (1 + v(j) * v(j))).epsilon(1e-6) &&
                           from_scalar(i, j) == s - x && by_scalar(i, j) == x * s &&
                           larger(i, j) == std::max(x, v(j)) && chosen(i, j) == (x > v(j) ? x : s) &&
                           by_row(i, j) == (u(i) > 0 ? s : x) && held(i, j) == std::min(std::max(x, -s), u(i) + 3);
                }
            CHECK(same);
            CHECK(outer.extents() == m.extents());
        }
    }
}

template <class Device> void check_literals() {
    auto f = function<Device>(literals);
    support::numbers random(5);
    for (const auto& extents : {extents_of<2>{1, 1}, {3, 5}, {0, 4}, {7, 33}}) {
        const auto n = extents[0], k = extents[1];
        const auto m = random.fill<float, 2>({n, k});
        const auto [a, b, c, d, e, g, h, p, q, yes, sign] = f(m, 3);
        bool same = true;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < k; ++j) {
                const float x = m(i, j);
                same = same && a(i, j) == 2 - x && b(i, j) == x - 2 && c(i, j) == x / 2 &&
                       d(i, j) == doctest::Approx(1 / (x * x + 1)).epsilon(1e-6) && e(i, j) == std::max(x, 0.0f) &&
                       g(i, j) == (x > 0.25f ? 1 : x) && h(i, j) == (x < 0 ? x : -1.5f) &&
                       p(i, j) == doctest::Approx(std::pow(x * x + 1, 1.5)).epsilon(1e-6) && yes(i, j) &&
                       sign(i, j) == (0 <= x);
            }
        INFO(support::device_name<Device>());
        CHECK(same);
        CHECK(static_cast<float>(q) == 1);
    }
}

}  // namespace

TEST_CASE("matrices, vectors, columns and scalars are repeated by NumPy's rule") {
    check_mixed<cpu>();
    check_mixed<reference>();
}

TEST_CASE("literals on both sides take the element type of the expression") {
    check_literals<cpu>();
    check_literals<reference>();
}

TEST_CASE("an extent of 1 that only the call knows is not repeated") {
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return a + b; });
    const array<float, 2> column(3, 1), full(3, 4);
    CHECK_THROWS_AS(f(column, full), shape_error);
    CHECK_THROWS_AS(f(full, column), shape_error);
    CHECK(f(full, full).extents() == full.extents());
}

TEST_CASE("an extent declared as 1 is repeated") {
    auto f = function<cpu>(
        [](matrix<float, dynamic, 1> a, matrix<float, 1, dynamic> b, tensor<float, 2, 1, 1> c) { return a * b + c; });
    const array<float, 2> a{{1}, {2}, {3}}, b{{10, 20}};
    const array<float, 3> c{{{100}}, {{200}}};
    const array<float, 3> y = f(a, b, c);
    CHECK(y == array<float, 3>{{{110, 120}, {120, 140}, {130, 160}}, {{210, 220}, {220, 240}, {230, 260}}});
    CHECK_THROWS_AS(f(b, b, c), shape_error);
}
