// SPDX-License-Identifier: MIT
// Derivatives of a recurrent network, the first and the second, against those of the same turns written out.
#include "scan/derivatives.hpp"

using namespace croton;
using namespace test;

constexpr auto cell = [](auto x, auto h, auto w, auto u, auto b) { return tanh(dot(x, w) + dot(h, u) + b); };

TEST_CASE("a recurrent network") {
    constexpr auto looped = [](tensor<double, 4, 3, 2> x, matrix<double> h0, matrix<double> w, matrix<double> u, croton::vector<double> b) {
        auto [last, ys] = scan([&](auto h, auto xt) {
            auto n = cell(xt, h, w, u, b);
            return step(n, sum<1>(n * xt(slice(), slice(0, 1))));
        }, h0, x);
        return with_derivatives(sum(sqr(last)) + sum(ys * ys), x, h0, w, u, b);
    };
    auto written = function<reference>([](tensor<double, 4, 3, 2> x, matrix<double> h0, matrix<double> w, matrix<double> u, croton::vector<double> b) {
        expr<double, 2> h = h0;
        expr<double, 0> cost = 0 * sum(b);
        for (int t = 0; t < 4; ++t) {
            h = cell(x(t), h, w, u, b);
            cost = cost + sum(sqr(sum<1>(h * x(t)(slice(), slice(0, 1)))));
        }
        return with_derivatives(sum(sqr(h)) + cost, x, h0, w, u, b);
    });
    array<double, 3> x(4, 3, 2);
    array<double, 2> h(3, 2), w(2, 2), u(2, 2);
    array<double, 1> b(2);
    fill(x, 1), fill(h, 2), fill(w, 3), fill(u, 4), fill(b, 5);
    check_loops(looped, written(x, h, w, u, b), x, h, w, u, b);
}
