// SPDX-License-Identifier: MIT
// Costs whose slope in each turn is of all turns, or of what a turn walks along: against the same turns written out.
#include "scan/close.hpp"

using namespace croton;
using namespace test;

constexpr auto cost_of = [](auto ys, auto x) { return sqr(sum(ys)) + log(sum(sqr(ys - 0.5 * x))) + sum(abs(ys) * 3 - ys * x); };

TEST_CASE_TEMPLATE("what comes to a turn from behind", D, cpu, reference) {
    auto looped = function<D>([](croton::vector<double, 3> x, scalar<double> h, scalar<double> w) {
        auto [last, ys] = scan([&](auto s, auto e) {
            auto n = tanh(s * w + e);
            return step(n, n);
        }, h, x);
        auto cost = cost_of(ys, x) + last;
        return std::tuple_cat(std::tuple(cost), grad(cost, x, h, w));
    });
    auto written = function<D>([](croton::vector<double, 3> x, scalar<double> h, scalar<double> w) {
        expr<double, 0> a = tanh(h * w + x(0)), b = tanh(a * w + x(1)), c = tanh(b * w + x(2));
        auto cost = cost_of(stack<0>(a, b, c), x) + c;
        return std::tuple_cat(std::tuple(cost), grad(cost, x, h, w));
    });
    const array<double, 1> x{0.3, -0.7, 0.2};
    check_all(looped(x, 0.4, 1.3), written(x, 0.4, 1.3));
}
