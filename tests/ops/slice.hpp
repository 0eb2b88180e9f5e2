// SPDX-License-Identifier: MIT
// The tests of slices and joined arrays, for any device: every layout of the argument, against views of the array itself.
#ifndef CROTON_TESTS_OPS_SLICE_HPP
#define CROTON_TESTS_OPS_SLICE_HPP

#include <doctest/doctest.h>

#include <tuple>

#include "ops/support.hpp"

namespace slicing {

using namespace croton;
using support::layout;
using support::placed;

template <class T, int Rank, class Device> array<T, Rank> host(const array<T, Rank, Device>& a) { return a.template to<cpu>(); }
template <class... A> auto host(const std::tuple<A...>& all) {
    return std::apply([](const auto&... a) { return std::tuple(host(a)...); }, all);
}
template <class T, int Rank> array<std::remove_const_t<T>, Rank> copied(view<T, Rank> v) { return v; }

/// Reads through slices alone, and in loops that read the same array at several places.
template <class Device, class T> void check_reads() {
    const auto f = function<Device>([](matrix<T> x) {
        return outputs(x(slice(1, -1), slice(none, none, -1)), x(slice(none, none, 2), slice(-3, none)), x(slice(2, 2)), x(ellipsis, slice(none, none, -2)),
                       transpose(x)(slice(1, none)), x(slice(1, none)) == x(slice(none, -1)), x(none, slice(-2, none, -1)));
    });
    support::numbers random(3);
    for (const auto& e : {extents_of<2>{3, 4}, {1, 1}, {17, 33}, {2, 70}, {0, 3}, {4, 0}})
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            const auto x = random.fill<T, 2>(e);
            const placed<T, 2> p(x, static_cast<layout>(l));
            const auto [a, b, c, d, t, same, up] = host(f(p.get()));
            INFO("[" << e[0] << "," << e[1] << "] " << support::name_of(static_cast<layout>(l)));
            CHECK(a == copied(x(slice(1, -1), slice(none, none, -1))));
            CHECK(b == copied(x(slice(none, none, 2), slice(-3, none))));
            CHECK(c.extents() == extents_of<2>{0, e[1]});
            CHECK(d == copied(x(ellipsis, slice(none, none, -2))));
            CHECK(t == copied(x.as_view().transpose()(slice(1, none))));
            CHECK(up == copied(x(none, slice(-2, none, -1))));
            int wrong = 0;
            for (std::int64_t i = 0; i + 1 < e[0]; ++i)
                for (std::int64_t j = 0; j < e[1]; ++j) wrong += same(i, j) != (x(i + 1, j) == x(i, j));
            CHECK(wrong == 0);
        }
}

/// Slices of what is computed, of what is reduced, repeated, joined, multiplied and reshaped.
template <class Device> void check_computed() {
    const auto f = function<Device>([](matrix<double> x, vector<double> v, matrix<double> w) {
        const auto y = x * 2.0 + v;
        const auto joined = concatenate<1>(y, x);
        return outputs(y(slice(1, none)) - y(slice(none, -1)), sum<0>(x)(slice(none, none, -1)), joined(slice(), slice(1, -1)), dot(x(slice(1, none)), w(slice(), slice(none, none, 2))),
                       reshape<dynamic>(x(slice(), slice(1, none))), dot(x, w)(-1, slice(1, none)), flatten(x)(slice(1, none, 3)), softmax<1>(x)(slice(), 0));
    });
    support::numbers random(9);
    for (const auto& e : {extents_of<3>{3, 4, 5}, {1, 1, 2}, {20, 13, 8}, {2, 1, 1}}) {
        const auto n = e[0], m = e[1], k = e[2];
        const auto x = random.fill<double, 2>({n, m}), w = random.fill<double, 2>({m, k});
        const auto v = random.fill<double, 1>({m});
        const auto [steps, sums, inner, product, flat, last, thirds, soft] = host(f(x, v, w));
        INFO("[" << n << "," << m << "," << k << "]");
        const auto y = [&](std::int64_t i, std::int64_t j) { return x(i, j) * 2 + v(j); };
        const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(b)); };
        int wrong = 0;
        CHECK(steps.extents() == extents_of<2>{n - 1, m});
        for (std::int64_t i = 0; i + 1 < n; ++i)
            for (std::int64_t j = 0; j < m; ++j) wrong += !near(steps(i, j), y(i + 1, j) - y(i, j));
        for (std::int64_t j = 0; j < m; ++j) {
            double s = 0;
            for (std::int64_t i = 0; i < n; ++i) s += x(i, j);
            wrong += !near(sums(m - 1 - j), s);
        }
        CHECK(inner.extents() == extents_of<2>{n, 2 * m - 2});
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < 2 * m - 2; ++j) wrong += !near(inner(i, j), j + 1 < m ? y(i, j + 1) : x(i, j + 1 - m));
        const auto dotted = [&](std::int64_t i, std::int64_t c) {
            double s = 0;
            for (std::int64_t j = 0; j < m; ++j) s += x(i, j) * w(j, c);
            return s;
        };
        CHECK(product.extents() == extents_of<2>{n - 1, (k + 1) / 2});
        for (std::int64_t i = 0; i + 1 < n; ++i)
            for (std::int64_t c = 0; c < (k + 1) / 2; ++c) wrong += !near(product(i, c), dotted(i + 1, 2 * c));
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j + 1 < m; ++j) wrong += flat(i * (m - 1) + j) != x(i, j + 1);
        for (std::int64_t c = 0; c + 1 < k; ++c) wrong += !near(last(c), dotted(n - 1, c + 1));
        for (std::int64_t i = 0; 1 + 3 * i < n * m; ++i) wrong += thirds(i) != x((1 + 3 * i) / m, (1 + 3 * i) % m);
        for (std::int64_t i = 0; i < n; ++i) {
            double s = 0;
            for (std::int64_t j = 0; j < m; ++j) s += std::exp(x(i, j));
            wrong += !near(soft(i), std::exp(x(i, 0)) / s);
        }
        CHECK(wrong == 0);
    }
}

/// Joined arrays: of what is in memory, computed, reduced and multiplied; as output and as what a step reads.
template <class Device, class T> void check_joined() {
    const auto f = function<Device>([](matrix<T> x, matrix<T> y) {
        return outputs(concatenate<0>(x, x + x, x), concatenate<1>(x, transpose(y), x(slice(), slice(none, none, -1))), stack<0>(x, x * x), stack<2>(x, x * x),
                       concatenate<0>(sum<0>(x, keepdims), concatenate<0>(x, transpose(y)) * static_cast<T>(2)), stack<-1>(sum<1>(x), max<1>(x)));
    });
    support::numbers random(4);
    for (const auto& e : {extents_of<2>{3, 4}, {1, 1}, {17, 33}, {2, 70}, {5, 1}}) {
        const auto n = e[0], m = e[1];
        const auto x = random.fill<T, 2>({n, m}, -3, 3), y = random.fill<T, 2>({m, n}, -3, 3);
        const auto [rows, columns, first, last, mixed, ends] = host(f(x, y));
        INFO("[" << n << "," << m << "]");
        int wrong = 0;
        CHECK(rows.extents() == extents_of<2>{3 * n, m});
        CHECK(columns.extents() == extents_of<2>{n, 3 * m});
        CHECK(first.extents() == extents_of<3>{2, n, m});
        CHECK(last.extents() == extents_of<3>{n, m, 2});
        CHECK(mixed.extents() == extents_of<2>{1 + 2 * n, m});
        CHECK(ends.extents() == extents_of<2>{n, 2});
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < m; ++j) {
                const T a = x(i, j);
                wrong += rows(i, j) != a || rows(n + i, j) != a + a || rows(2 * n + i, j) != a;
                wrong += columns(i, j) != a || columns(i, m + j) != y(j, i) || columns(i, 3 * m - 1 - j) != a;
                wrong += first(0, i, j) != a || first(1, i, j) != a * a || last(i, j, 0) != a || last(i, j, 1) != a * a;
                wrong += mixed(1 + i, j) != a * 2 || mixed(1 + n + i, j) != y(j, i) * 2;
            }
        for (std::int64_t i = 0; i < n; ++i) wrong += ends(i, 1) != *std::max_element(&x(i, 0), &x(i, 0) + m);
        CHECK(wrong == 0);
    }
    const auto [rows, columns, first, last, mixed, ends] = host(f(array<T, 2>(0, 3), array<T, 2>(3, 0)));
    CHECK(rows.extents() == extents_of<2>{0, 3});
    CHECK(mixed.extents() == extents_of<2>{1, 3});
}

}  // namespace slicing

#endif
