// SPDX-License-Identifier: MIT
// The tests of what brings values to where indices lead, for any device, against plain loops in the order of the indices.
#ifndef CROTON_TESTS_OPS_SCATTER_HPP
#define CROTON_TESTS_OPS_SCATTER_HPP

#include "ops/gather.hpp"

namespace gathering {

template <class Device, class T, class I> void check_scatter() {
    const auto f = function<Device>([](matrix<T> x, vector<I> rows, matrix<T> of_rows, vector<I> columns, matrix<T> of_columns) {
        return outputs(add_at<0>(x, rows, of_rows), set_at<0>(x, rows, of_rows), add_at<-1>(x, columns, of_columns), set_at<1>(x, columns, T(1)));
    });
    support::numbers random(3);
    for (const auto& e : {extents_of<3>{1, 1, 1}, {3, 4, 5}, {7, 33, 40}, {16, 16, 3}, {5, 1, 9}, {4, 9, 0}, {300, 70, 200}})
        for (int l = 0; l < static_cast<int>(layout::count); ++l) {
            const auto n = e[0], m = e[1], k = e[2];
            const auto how = static_cast<layout>(l);
            const auto x = random.fill<T, 2>({n, m}), v = random.fill<T, 2>({k, m}), w = random.fill<T, 2>({n, k});
            const auto rows = draw<I, 1>(random, {k}, n), columns = draw<I, 1>(random, {k}, m);
            auto added = x, put = x, beside = x, ones = x;
            const auto add = [](T a, T b) { return static_cast<T>(a + b); };
            for (std::int64_t q = 0; q < k; ++q) {
                const auto r = from_start(rows(q), n), c = from_start(columns(q), m);
                for (std::int64_t j = 0; j < m; ++j) added(r, j) = add(added(r, j), v(q, j)), put(r, j) = v(q, j);
                for (std::int64_t i = 0; i < n; ++i) beside(i, c) = add(beside(i, c), w(i, q)), ones(i, c) = T(1);
            }
            const placed<T, 2> px(x, how), pv(v, how);
            const auto [a, b, c, d] = host(f(px.get(), placed<I, 1>(rows, how).get(), pv.get(), columns, w));
            INFO("[" << n << "," << m << "] " << k << " " << support::name_of(how));
            CHECK(a == added);
            CHECK(b == put);
            CHECK(c == beside);
            CHECK(d == ones);
        }
}

template <class Device> void check_segments() {
    const auto f = function<Device>([](matrix<float> v, vector<int> ids, matrix<int> places, tensor<double, 2, 3, 2> x, tensor<double, 2, 2, 2, 2> y, scalar<std::int64_t> i) {
        return outputs(segment_sum<3>(v, ids), bincount<4>(places), bincount<4>(ids), add_at<1>(x, places, y), add_at<1>(x, i, 1.0));
    });
    const array<float, 2> v{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    array<double, 3> x(2, 3, 2);
    array<double, 4> y(2, 2, 2, 2);
    int count = 0;
    for (double& e : y) e = ++count;
    const auto [sums, bins, four, placed_, one] = host(f(v, array<int, 1>{2, 0, 2, 2}, array<int, 2>{{0, 2}, {1, 2}}, x, y, std::int64_t{-1}));
    CHECK(sums == array<float, 2>{{3, 4}, {0, 0}, {13, 16}});
    CHECK(bins == array<std::int64_t, 1>{1, 1, 2, 0});
    CHECK(four == array<std::int64_t, 1>{1, 0, 3, 0});
    CHECK(placed_ == array<double, 3>{{{1, 2}, {5, 6}, {3 + 7, 4 + 8}}, {{9, 10}, {13, 14}, {11 + 15, 12 + 16}}});
    CHECK(one == array<double, 3>{{{0, 0}, {0, 0}, {1, 1}}, {{0, 0}, {0, 0}, {1, 1}}});
}

/// Extremes, products and means of segments, one of which has no values, along rows and numbers.
template <class Device, class T> void check_joined_segments() {
    const auto f = function<Device>([](matrix<T> v, vector<int> ids) {
        const auto first = v(slice(), 0);
        return outputs(segment_max<4>(v, ids), segment_min<4>(v, ids), segment_prod<4>(v, ids), segment_max<4>(first, ids), segment_prod<4>(first, ids));
    });
    const auto low = std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    const auto high = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    support::numbers random(5);
    for (const std::int64_t n : {0, 1, 7, 400})
        for (const std::int64_t m : {1, 3, 40, 200}) {
            auto v = random.fill<T, 2>({n, m});
            for (T& e : v) e = static_cast<T>(e < T(0) ? -1 : e > T(1) ? 2 : e);
            array<int, 1> ids(n);
            for (std::int64_t i = 0; i < n; ++i) ids(i) = static_cast<int>(i * i % 3);
            auto largest = full<T>({4, m}, low), smallest = full<T>({4, m}, high), product = full<T>({4, m}, T(1));
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < m; ++j) {
                    largest(ids(i), j) = std::max(largest(ids(i), j), v(i, j));
                    smallest(ids(i), j) = std::min(smallest(ids(i), j), v(i, j));
                    product(ids(i), j) = static_cast<T>(product(ids(i), j) * v(i, j));
                }
            const auto [a, b, c, d, e] = host(f(v, ids));
            INFO("[" << n << "," << m << "]");
            CHECK(a == largest);
            CHECK(b == smallest);
            CHECK(c == product);
            CHECK(d == array<T, 1>(largest(slice(), 0)));
            CHECK(e == array<T, 1>(product(slice(), 0)));
        }
}

}  // namespace gathering

#endif
