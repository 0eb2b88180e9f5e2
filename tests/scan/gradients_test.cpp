// SPDX-License-Identifier: MIT
// Derivatives of loops, the first and the second, against those of the same turns written out.
#include "scan/derivatives.hpp"

using namespace croton;
using namespace test;

TEST_CASE("backwards, with whole numbers carried, and the number of the turn") {
    constexpr auto looped = [](croton::vector<double, 5> x, scalar<double> a) {
        auto [last, ys] = scan([&](auto state, auto xt) {
            auto [s, count] = state;
            return step(std::tuple(s * a + sin(xt * s), count + 1), s * cast<double>(count));
        }, std::tuple(a * a, cast<std::int64_t>(a * 0)), x, {.reverse = true});
        auto [turned, squares] = scan([&](auto v, auto t) { return step(v * a + cast<double>(t), v * v); }, a, times(4));
        return with_derivatives(std::get<0>(last) + sum(ys) + turned * sum(squares), x, a);
    };
    auto written = function<reference>([](croton::vector<double, 5> x, scalar<double> a) {
        expr<double, 0> s = a * a, cost = 0 * a, v = a, squares = 0 * a;
        for (int t = 4; t >= 0; --t) {
            cost = cost + s * (4.0 - t);
            s = s * a + sin(x(t) * s);
        }
        for (int t = 0; t < 4; ++t) {
            squares = squares + v * v;
            v = v * a + static_cast<double>(t);
        }
        return with_derivatives(s + cost + v * squares, x, a);
    });
    array<double, 1> x(5);
    fill(x, 3);
    check_loops(looped, written(x, 0.7), x, 0.7);
}

TEST_CASE("a loop in a loop") {
    constexpr auto looped = [](matrix<double, 3, 2> x, croton::vector<double> w) {
        auto [state, rows] = scan([&](auto s, auto row) {
            auto [total, parts] = scan([&](auto t, auto e) { return step(tanh(t + e * sum(w * s)), t * sum(s)); }, sum(row * row), row);
            return step(s * total + w, std::tuple(total, parts));
        }, w, x);
        auto [totals, parts] = rows;
        return with_derivatives(sum(state * state) + sum(totals) + sum(parts * parts), x, w);
    };
    auto written = function<reference>([](matrix<double, 3, 2> x, croton::vector<double> w) {
        expr<double, 1> s = w;
        expr<double, 0> cost = 0 * sum(w);
        for (int i = 0; i < 3; ++i) {
            expr<double, 0> t = sum(x(i) * x(i));
            for (int j = 0; j < 2; ++j) {
                cost = cost + sqr(t * sum(s));
                t = tanh(t + x(i, j) * sum(w * s));
            }
            cost = cost + t;
            s = s * t + w;
        }
        return with_derivatives(sum(s * s) + cost, x, w);
    });
    array<double, 2> x(3, 2);
    array<double, 1> w(3);
    fill(x, 1), fill(w, 6);
    check_loops(looped, written(x, w), x, w);
}

TEST_CASE("no turns: what is carried is what it was, and so are its derivatives") {
    auto f = function<cpu>([](croton::vector<double> x, scalar<double> h, scalar<double> w) {
        auto [last, ys] = scan([&](auto s, auto e) { return step(s * w + e, s * e); }, h * h, x);
        return with_derivatives(last + sum(ys), x, h, w);
    });
    auto [cost, gx, gh, gw, sx, sh, sw] = f(array<double, 1>(0), 3.0, 2.0);
    CHECK(cost == array<double, 0>(9.0));
    CHECK(gx.size() == 0);
    CHECK(gh == array<double, 0>(6.0));
    CHECK(gw == array<double, 0>(0.0));
    CHECK(sh == array<double, 0>(24.0));
}
