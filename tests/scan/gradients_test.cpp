// SPDX-License-Identifier: MIT
// Derivatives of loops, the first and the second, against those of the same turns written out.
#include "scan/close.hpp"

using namespace croton;
using namespace test;

constexpr auto cell = [](auto x, auto h, auto w, auto u, auto b) { return tanh(dot(x, w) + dot(h, u) + b); };

template <class C, class... P> constexpr auto with_derivatives(const C& cost, const P&... p) {
    auto gradients = std::tuple{grad(cost, p)...};
    auto size = std::apply([](const auto&... g) { return (sum(g * g) + ...); }, gradients);
    return std::tuple_cat(std::tuple(cost), gradients, std::tuple{grad(size, p)...});
}

/// A loop gives what its turns give written out, which run as they were written, without rewrites.
template <class F, class E, class... X> void check_loops(F looped, const E& expected, const X&... x) {
    check_all(function<cpu>(looped)(x...), expected);
    check_all(function<reference>(looped)(x...), expected);
}

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
