// SPDX-License-Identifier: MIT
// Loops of fewer turns than there may be: rows of the others are zeros, in values and in derivatives.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("backwards, turns that there are not leave zeros", D, cpu, reference) {
    auto backwards = function<D>([](scalar<int> n, scalar<double> a, croton::vector<double, 6> w) {
        auto [last, ys] = scan([&](auto p) {
            auto q = p * a + 1;
            return step(q, q);
        }, a, times(n, 6), {.reverse = true});
        auto slope = grad(sum(w * ys), a);
        return std::tuple(last, ys, slope, grad(sum(w * ys), w), grad(slope, a), grad(slope, w));
    });
    const array<double, 1> w{1, 2, 3, 4, 5, 6};
    // p is a, then a^2 + 1, then a^3 + a + 1.
    auto [last, ys, ga, gw, gaa, gaw] = backwards(2, 3.0, w);
    CHECK(last == array<double, 0>(31.0));
    CHECK(ys == array<double, 1>{31, 10, 0, 0, 0, 0});
    CHECK(gw == ys);
    CHECK(ga == array<double, 0>(28 + 2 * 6.0));
    CHECK(gaa == array<double, 0>(18 + 2 * 2.0));
    CHECK(gaw == array<double, 1>{28, 6, 0, 0, 0, 0});
    auto [first, none, g0, gw0, gaa0, gaw0] = backwards(0, 3.0, w);
    CHECK(first == array<double, 0>(3.0));
    CHECK(none == array<double, 1>{0, 0, 0, 0, 0, 0});
    CHECK(gw0 == none);
    CHECK(gaw0 == none);
    auto [end, most, g9, gw9, gaa9, gaw9] = backwards(9, 1.0, w);
    CHECK(most == array<double, 1>{7, 6, 5, 4, 3, 2});
    CHECK(gaw9 == array<double, 1>{22, 16, 11, 7, 4, 2});
}

TEST_CASE_TEMPLATE("what is given, captured or carried has no part in turns behind the end", D, cpu, reference) {
    auto until_ten = function<D>([](croton::vector<double> x, scalar<double> a, croton::vector<double> w) {
        auto [last, ys, turns] = scan([&](auto s, auto e) {
            auto n = s + e;
            return step(n, std::tuple(e, a, s), until(n > 10));
        }, 0.0, x);
        auto [given, same, before] = ys;
        auto gx = grad(sum(given * given), x);
        auto ga = grad(sum(w * same), a);
        return std::tuple(before, gx, grad(sum(gx * gx), x), ga, grad(ga, w), grad(sum(w * before), w));
    });
    auto [before, gx, gxx, g, gw_of_a, sums] = until_ten(array<double, 1>{4, 7, 5, 3}, 2.0, array<double, 1>{1, 2, 3, 4});
    CHECK(before == array<double, 1>{0, 4, 0, 0});
    CHECK(gx == array<double, 1>{8, 14, 0, 0});
    CHECK(gxx == array<double, 1>{32, 56, 0, 0});
    CHECK(g == array<double, 0>(3.0));
    CHECK(gw_of_a == array<double, 1>{1, 1, 0, 0});
    CHECK(sums == before);
}
