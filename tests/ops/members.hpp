// SPDX-License-Identifier: MIT
// Slices, joins, gathers, scatters, sorts and cumulations of one element type, each beside plain loops, on whole arrays, views, empty and small ones.
#ifndef CROTON_TESTS_OPS_MEMBERS_HPP
#define CROTON_TESTS_OPS_MEMBERS_HPP

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

namespace members {

using namespace croton;

/// What a result should be: rows of numbers.
using table = std::vector<std::vector<double>>;

template <class A> table seen(const A& a) {
    if constexpr (requires { requires !memory<typename A::device>::on_host; }) {
        return seen(a.template to<cpu>());
    } else {
        table t(static_cast<std::size_t>(a.extent(0)), std::vector<double>(static_cast<std::size_t>(a.extent(1))));
        for (int i = 0; i < a.extent(0); ++i)
            for (int j = 0; j < a.extent(1); ++j) t[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = static_cast<double>(a(i, j));
        return t;
    }
}

/// A table of `rows` x `columns` made of what `at` gives.
template <class At> table made(std::int64_t rows, std::int64_t columns, At at) {
    table t(static_cast<std::size_t>(rows), std::vector<double>(static_cast<std::size_t>(columns)));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) t[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = static_cast<double>(at(i, j));
    return t;
}

template <class T> inline constexpr bool adds = !std::is_same_v<T, bool>;

template <class Device, class T> auto moves() {
    return function<Device>([](matrix<T> x, vector<std::int64_t> rows) {
        return std::tuple(x(slice(none, none, -1), slice(1, none, 2)), x(slice(none, none, 3), slice(none, none, -2)), concatenate<1>(x, flip<0>(x)),
                          take<0>(x, rows), take_along_axis<1>(x, argsort<1>(x)), roll<1>(x, 1), repeat<0, 2>(x), tril(x));
    });
}
template <class Device, class T> auto orders() {
    return function<Device>([](matrix<T> x) { return std::tuple(sort<1>(x), sort<0>(x), argsort<0>(x), cumsum<1>(x), cumsum<0>(x), cumprod<1>(x)); });
}
template <class Device, class T> auto puts() {
    return function<Device>([](matrix<T> x, vector<std::int64_t> rows, matrix<T> v) {
        if constexpr (adds<T>) return std::tuple(set_at<0>(x, rows, v), add_at<0>(x, rows, v));
        else return std::tuple(set_at<0>(x, rows, v), x);
    });
}

template <class T, class... Devices, class X> void check_all(const X& x, const std::string& which) {
    CAPTURE(which);
    const std::int64_t m = x.extent(0), n = x.extent(1), count = m == 0 ? 0 : 5;
    const table from = seen(x);
    const auto at = [&](std::int64_t i, std::int64_t j) { return from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]; };
    array<std::int64_t, 1> rows(count);
    for (std::int64_t q = 0; q < count; ++q) rows(q) = (3 * q + 1) % m - (q == 2 ? m : 0);  // one counts from the end
    const auto row = [&](std::int64_t q) { return (rows(q) + m) % m; };
    array<T, 2> v(count, n);
    for (std::int64_t q = 0; q < count; ++q)
        for (std::int64_t j = 0; j < n; ++j) v(q, j) = static_cast<T>(static_cast<float>((q + j) % 2));

    const auto check = [&]<class Device>(Device) {
        {
            const auto [a, b, c, d, e, f, g, h] = moves<Device, T>()(x, rows);
            CHECK(seen(a) == made(m, n / 2, [&](auto i, auto j) { return at(m - 1 - i, 1 + 2 * j); }));
            CHECK(seen(b) == made((m + 2) / 3, (n + 1) / 2, [&](auto i, auto j) { return at(3 * i, n - 1 - 2 * j); }));
            CHECK(seen(c) == made(m, 2 * n, [&](auto i, auto j) { return j < n ? at(i, j) : at(m - 1 - i, j - n); }));
            CHECK(seen(d) == made(count, n, [&](auto q, auto j) { return at(row(q), j); }));
            table in_order = from;
            for (auto& r : in_order) std::sort(r.begin(), r.end());
            CHECK(seen(e) == in_order);
            CHECK(seen(f) == made(m, n, [&](auto i, auto j) { return at(i, (j + n - 1) % n); }));
            CHECK(seen(g) == made(2 * m, n, [&](auto i, auto j) { return at(i / 2, j); }));
            CHECK(seen(h) == made(m, n, [&](auto i, auto j) { return j <= i ? at(i, j) : 0.0; }));
        }
        {
            const auto [a, b, p, s, t, q] = orders<Device, T>()(x);
            table in_order = from;
            for (auto& r : in_order) std::sort(r.begin(), r.end());
            CHECK(seen(a) == in_order);
            table down = made(n, m, [&](auto j, auto i) { return at(i, j); }), places = made(n, m, [](auto, auto i) { return i; });
            for (std::size_t j = 0; j < down.size(); ++j) {
                std::stable_sort(places[j].begin(), places[j].end(), [&](double k, double l) { return down[j][static_cast<std::size_t>(k)] < down[j][static_cast<std::size_t>(l)]; });
                std::sort(down[j].begin(), down[j].end());
            }
            CHECK(seen(b) == made(m, n, [&](auto i, auto j) { return down[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]; }));
            CHECK(seen(p) == made(m, n, [&](auto i, auto j) { return places[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]; }));
            table across = from, along = from, product = from;
            for (std::size_t i = 0; i < from.size(); ++i)
                for (std::size_t j = 0; j < from[i].size(); ++j) {
                    if (j > 0) across[i][j] += across[i][j - 1];
                    if (i > 0) along[i][j] += along[i - 1][j];
                    if (j > 0) product[i][j] *= product[i][j - 1];
                }
            CHECK(seen(s) == across);
            CHECK(seen(t) == along);
            CHECK(seen(q) == product);
        }
        {
            const auto [a, b] = puts<Device, T>()(x, rows, v);
            table put = from, sum = from;
            for (std::int64_t k = 0; k < count; ++k)
                for (std::int64_t j = 0; j < n; ++j) {
                    put[static_cast<std::size_t>(row(k))][static_cast<std::size_t>(j)] = static_cast<double>(v(k, j));
                    if (adds<T>) sum[static_cast<std::size_t>(row(k))][static_cast<std::size_t>(j)] += static_cast<double>(v(k, j));
                }
            CHECK(seen(a) == put);
            CHECK(seen(b) == sum);
        }
    };
    (check(Devices()), ...);
}

/// On each device whole arrays of several extents, the transpose of one, and every second column from the last on.
template <class T, class... Devices> void check_on() {
    const auto filled = [](std::int64_t m, std::int64_t n) {
        array<T, 2> x(m, n);
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) x(i, j) = static_cast<T>(static_cast<float>((5 * i + 3 * j * j + i * j) % (adds<T> ? 3 : 2)));
        return x;
    };
    for (const auto& [m, n] : {std::pair{4, 19}, {1, 1}, {1, 7}, {3, 1}, {0, 3}, {3, 0}}) check_all<T, Devices...>(filled(m, n), std::to_string(m) + " x " + std::to_string(n));
    const array<T, 2> wide = filled(5, 38);
    check_all<T, Devices...>(wide.transpose(), "a transpose");
    check_all<T, Devices...>(wide(slice(none, none, -1), slice(none, none, -2)), "every second column, backwards");
}
template <class T> void check_type() { check_on<T, cpu, reference>(); }

}  // namespace members

#endif
