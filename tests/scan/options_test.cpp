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
