// SPDX-License-Identifier: MIT
// Loops with sums and the single numbers that close them, on any device that has such launches.
#ifndef CROTON_TESTS_DEVICE_CLOSING_HPP
#define CROTON_TESTS_DEVICE_CLOSING_HPP

#include <algorithm>
#include <cstdint>
#include <utility>

#include "device/compare.hpp"

namespace test {

/// A number that the loop reads, and that its sum changes.
template <class Device> auto read_and_changed() {
    return function<Device>([](vector<float> x, shared<scalar<float>> b) {
        auto total = sum(x * b);
        return outputs(x + b, total / 3).updates(b -= 0.1f * total);
    });
}
/// One of the columns whose sums end in many threads, and numbers that read each other.
template <class Device> auto one_column() {
    return function<Device>([](matrix<float> x, scalar<float> s, shared<scalar<float>> n) {
        auto columns = sum<0>(x * s);
        auto next = n + 1;
        return outputs(columns, columns(2) * s, exp(s / next)).updates(update(n, next));
    });
}
/// Rows in several passes, few and long ones in parts.
template <class Device> auto rows_in_passes() {
    return function<Device>([](matrix<float> x) {
        auto p = softmax<1>(x);
        auto total = sum(sqr(p));
        return outputs(p, sqrt(total) + 1);
    });
}
/// An element that another block of the loop has stored.
template <class Device> auto element_of_another_block() {
    return function<Device>([](vector<float> x) {
        auto y = x * 2;
        return outputs(y, sum(y), y(-1) * 3);
    });
}

/// How many steps the largest launch of a function has.
template <class F> int most_together(const F& f) {
    int most = 0;
    for (const auto& step : f.plan().steps) most = std::max(most, step.together);
    return most;
}

/// From nothing to sums that end in a launch of their own.
template <class Device> void check_closing(std::int64_t most) {
    {
        auto f = read_and_changed<Device>();
        auto g = read_and_changed<reference>();
        CHECK(most_together(f) == 2);
        array<float, 0> b = 1.5f;
        auto there = b.to<Device>();
        for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{33}, std::int64_t{1000}, most}) {
            CAPTURE(n);
            const auto x = random_array<float, 1>(static_cast<unsigned>(n), n);
            for (int call = 0; call < 3; ++call) {
                const auto [fy, ft] = f(x, there);
                const auto [gy, gt] = g(x, b);
                check_close(fy, gy, 1e-4);
                check_close(ft, gt, 1e-4);
                check_close(there, b, 1e-4);
            }
        }
    }
    {
        auto f = one_column<Device>();
        auto g = one_column<reference>();
        CHECK(most_together(f) >= 3);
        array<float, 0> n;
        auto there = n.to<Device>();
        for (const std::int64_t rows : {0, 1, 40, 700})
            for (const std::int64_t columns : {3, 16, 129, 5000}) {
                if (rows * columns > most) continue;
                CAPTURE(rows);
                CAPTURE(columns);
                const auto x = random_array<float, 2>(static_cast<unsigned>(rows), rows, columns);
                for (int call = 0; call < 3; ++call) {
                    const auto [fc, fe, fn] = f(x, 0.5f, there);
                    const auto [gc, ge, gn] = g(x, 0.5f, n);
                    check_close(fc, gc, 1e-4);
                    check_close(fe, ge, 1e-4);
                    check_close(fn, gn, 1e-4);
                    check_close(there, n, 1e-6);
                }
            }
    }
    {
        auto f = rows_in_passes<Device>();
        auto g = rows_in_passes<reference>();
        CHECK(most_together(f) == 2);
        for (const auto& size : {std::pair<std::int64_t, std::int64_t>{1, 1}, {40, 10}, {300, 33}, {2, most / 2}}) {
            CAPTURE(size.first);
            const auto x = random_array<float, 2>(static_cast<unsigned>(size.first), size.first, size.second);
            for (int call = 0; call < 3; ++call) {
                const auto [fp, ft] = f(x);
                const auto [gp, gt] = g(x);
                check_close(fp, gp, 1e-4);
                check_close(ft, gt, 1e-4);
            }
        }
    }
    {
        auto f = element_of_another_block<Device>();
        auto g = element_of_another_block<reference>();
        for (const std::int64_t n : {std::int64_t{1}, std::int64_t{1000}, most}) {
            CAPTURE(n);
            const auto x = random_array<float, 1>(static_cast<unsigned>(n), n);
            for (int call = 0; call < 3; ++call) {
                const auto [fy, ft, fe] = f(x);
                const auto [gy, gt, ge] = g(x);
                check_close(fy, gy, 0);
                check_close(ft, gt, 1e-4);
                check_close(fe, ge, 1e-6);
            }
        }
    }
}

}  // namespace test

#endif
