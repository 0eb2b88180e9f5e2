// SPDX-License-Identifier: MIT
// The tests of what picks elements by indices, for any device: every layout of the table and of the indices, against plain loops.
#ifndef CROTON_TESTS_OPS_GATHER_HPP
#define CROTON_TESTS_OPS_GATHER_HPP

#include <doctest/doctest.h>

#include <tuple>

#include "ops/support.hpp"

namespace gathering {

using namespace croton;
using support::layout;
using support::placed;

/// Indices of an axis of extent n, negative ones too.
template <class I, int Rank> array<I, Rank> draw(support::numbers& random, const extents_of<Rank>& extents, std::int64_t n) {
    array<I, Rank> ids(extents);
    for (I& i : ids) i = static_cast<I>(std::floor(random.next(static_cast<double>(-n), static_cast<double>(n))));
    return ids;
}

/// Results as the host reads them.
template <class T, int Rank, class Device> array<T, Rank> host(const array<T, Rank, Device>& a) { return a.template to<cpu>(); }
template <class... A> auto host(const std::tuple<A...>& all) {
    return std::apply([](const auto&... a) { return std::tuple(host(a)...); }, all);
}

inline std::int64_t from_start(std::int64_t i, std::int64_t n) { return i < 0 ? i + n : i; }

template <class Device, class T, class I> void check_rank_2() {
    const auto f = function<Device>([](matrix<T> x, vector<I> rows, vector<I> columns, matrix<I> places) {
        return outputs(take<0>(x, rows), take<1>(x, columns), take<-1>(transpose(x), rows), take<0>(x, places), take_along_axis<1>(x, places));
    });
    support::numbers random(5);
    for (const auto& e : {extents_of<3>{1, 1, 1}, {3, 4, 5}, {17, 33, 70}, {2, 16, 3}, {5, 1, 4}, {4, 9, 0}})
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            const auto n = e[0], m = e[1], k = e[2];
            const auto x = random.fill<T, 2>({n, m});
            const auto rows = draw<I, 1>(random, {k}, n), columns = draw<I, 1>(random, {k}, m);
            auto places = draw<I, 2>(random, {n, k}, std::min(n, m));
            const auto how = static_cast<layout>(l);
            const placed<T, 2> p(x, how);
            const auto [a, b, c, d, along] = host(f(p.get(), placed<I, 1>(rows, how).get(), columns, placed<I, 2>(places, how).get()));
            INFO("[" << n << "," << m << "] " << k << " " << support::name_of(how));
            int wrong = 0;
            for (std::int64_t q = 0; q < k; ++q) {
                for (std::int64_t j = 0; j < m; ++j) {
                    wrong += a(q, j) != x(from_start(rows(q), n), j);
                    wrong += c(j, q) != x(from_start(rows(q), n), j);
                    for (std::int64_t i = 0; i < n; ++i) wrong += d(i, q, j) != x(from_start(places(i, q), n), j);
                }
                for (std::int64_t i = 0; i < n; ++i) {
                    wrong += b(i, q) != x(i, from_start(columns(q), m));
                    wrong += along(i, q) != x(i, from_start(places(i, q), m));
                }
            }
            CHECK(wrong == 0);
            CHECK(d.extents() == extents_of<3>{n, k, m});
        }
}

/// Loops of every form read through indices: single numbers, rows with what is reduced, elements, several passes.
template <class Device> void check_loops() {
    const auto f = function<Device>([](tensor<float, dynamic, dynamic, dynamic> x, vector<int> ids, scalar<int> one, vector<float> v) {
        auto picked = take<1>(x, ids);
        return outputs(take<0>(x, one), sum<0, 2>(picked), softmax<2>(picked * 2.0f), softmax<1>(picked), take<0>(v, one) + sum(take<0>(v, ids)),
                       take<0>(v * v, ids) + take<0>(v, ids + 1), picked * newaxis<-1>(take<0>(v, ids)), take<2>(x + 1.0f, one - 1),
                       take<0>(reshape<dynamic>(x), ids));
    });
    support::numbers random(9);
    for (const auto& e : {extents_of<4>{2, 5, 3, 4}, {3, 40, 33, 50}, {2, 4, 1, 1}})
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            const auto n = e[0], m = e[1], k = e[2], q = e[3];
            const auto x = random.fill<float, 3>({n, m, k});
            const auto v = random.fill<float, 1>({m});
            const auto ids = draw<int, 1>(random, {q}, m);
            const placed<float, 3> p(x, static_cast<layout>(l));
            for (int one = -1; one < 2; ++one) {
                const auto [first, total, rows, columns, number, squares, scaled, last, flat] = host(f(p.get(), ids, one, v));
                const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t c) { return x(i, from_start(ids(j), m), c); };
                double worst = 0;
                const auto near = [&](double a, double b) { worst = std::max(worst, std::fabs(a - b) / (1 + std::fabs(b))); };
                double sum = v(from_start(one, m));
                for (std::int64_t j = 0; j < q; ++j) {
                    const auto id = from_start(ids(j), m), next = from_start(ids(j) + 1, m);
                    sum += v(id);
                    near(squares(j), v(id) * v(id) + v(next > m - 1 ? m - 1 : next));
                    const auto place = from_start(ids(j), n * m * k);
                    near(flat(j), x(place / (m * k), place / k % m, place % k));
                    double all = 0;
                    for (std::int64_t i = 0; i < n; ++i) {
                        double row = 0;
                        for (std::int64_t c = 0; c < k; ++c) row += std::exp(2 * at(i, j, c));
                        for (std::int64_t c = 0; c < k; ++c) {
                            double column = 0;
                            for (std::int64_t o = 0; o < q; ++o) column += std::exp(at(i, o, c));
                            all += at(i, j, c);
                            near(rows(i, j, c), std::exp(2 * at(i, j, c)) / row);
                            near(columns(i, j, c), std::exp(at(i, j, c)) / column);
                            near(scaled(i, j, c), at(i, j, c) * v(id));
                        }
                    }
                    near(total(j), all);
                }
                near(static_cast<float>(number), sum);
                for (std::int64_t j = 0; j < m; ++j) {
                    for (std::int64_t c = 0; c < k; ++c) near(first(j, c), x(from_start(one, n), j, c));
                    const auto c = one - 1 < -k ? 0 : from_start(one - 1, k);
                    for (std::int64_t i = 0; i < n; ++i) near(last(i, j), x(i, j, c) + 1);
                }
                INFO("[" << n << "," << m << "," << k << "] " << q << " " << support::name_of(static_cast<layout>(l)) << " " << one);
                CHECK(worst < 3e-5);
            }
        }
}

template <class Device> void check_computed() {
    // What is computed names the nearest element where it names none.
    const auto f = function<Device>([](vector<float> x, vector<int> ids) { return take<0>(x, 2 * ids); });
    const array<float, 1> x{10, 11, 12, 13};
    CHECK(host(f(x, array<int, 1>{0, 1, 2, 50, -1, -2, -3, -50})) == array<float, 1>{10, 12, 13, 13, 12, 10, 10, 10});
}

}  // namespace gathering

#endif
