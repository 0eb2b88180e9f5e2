// SPDX-License-Identifier: MIT
// How a scan goes back through its turns.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("a derivative through the last turns only", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> x, scalar<double> h, scalar<double> a) {
        auto [last, ys] = scan([&](auto s, auto e) {
            auto n = s * a + e;
            return step(n, n * n);
        }, h, x, {.truncate = 2});
        auto [gx, gh, ga] = grad(last, x, h, a);
        return std::tuple(last, gx, gh, ga, grad(sum(ys), x), grad(ga, a));
    });
    // n = 2, 5, 12: the last two turns have a = 2, s = 2 and 5 before them.
    auto [last, gx, gh, ga, gy, bend] = f(array<double, 1>{0, 1, 2}, 1.0, 2.0);
    CHECK(last == array<double, 0>(12.0));
    CHECK(gx == array<double, 1>{0, 2, 1});
    CHECK(gh == array<double, 0>(0.0));
    CHECK(ga == array<double, 0>(5.0 + 2 * 2));
    CHECK(gy == array<double, 1>{0, 2 * 5 + 2 * 12 * 2, 2 * 12});
    CHECK(bend.size() == 1);
    auto [one, hx, hh, ha, hy, flat] = f(array<double, 1>{3}, 1.0, 2.0);
    CHECK(hx == array<double, 1>{1});
    CHECK(hh == array<double, 0>(2.0));
    CHECK(ha == array<double, 0>(1.0));
}

TEST_CASE_TEMPLATE("values of several turns back", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> first, croton::vector<double> x, scalar<double> a) {
        auto [last, fibonacci] = scan([&](auto back) {
            auto [one, two] = back;
            auto next = one + a * two;
            return step(next, next);
        }, lags<-1, -2>(first), times(6));
        auto [end, third] = scan([](auto three_back, auto e) { return step(three_back + e, three_back); }, lags<-3>(concatenate<0>(first, x(slice(0, 1)))), x);
        return std::tuple(last, fibonacci, end, third, grad(last, a));
    });
    auto [last, fibonacci, end, third, slope] = f(array<double, 1>{0, 1}, array<double, 1>{10, 20, 30, 40}, 1.0);
    CHECK(last == array<double, 0>(13.0));
    CHECK(fibonacci == array<double, 1>{1, 2, 3, 5, 8, 13});
    CHECK(third == array<double, 1>{0, 1, 10, 10});
    CHECK(end == array<double, 0>(50.0));
    // 1 + a, 1 + 2 a, 1 + 3 a + a^2, 1 + 4 a + 3 a^2, 1 + 5 a + 6 a^2 + a^3
    CHECK(slope == array<double, 0>(5.0 + 12 + 3));
}
