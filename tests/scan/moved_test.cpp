// SPDX-License-Identifier: MIT
// What is computed for all turns at once, before the loop or behind it: where explain says so, and with the numbers of the turns written out.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T, int R> void fill(array<T, R>& a, int seed) {
    for (std::int64_t i = 0; i < a.size(); ++i) a.data()[i] = 0.1 * static_cast<double>((7 * i + seed) % 11) - 0.45;
}
template <class... A> void check_all(const std::tuple<A...>& a, const std::tuple<A...>& b) {
    const auto check = [](const auto& x, const auto& y) {
        REQUIRE(x.size() == y.size());
        for (std::int64_t i = 0; i < x.size(); ++i) CHECK(x.data()[i] == doctest::Approx(y.data()[i]).epsilon(1e-9));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (check(std::get<I>(a), std::get<I>(b)), ...); }(std::index_sequence_for<A...>());
}
bool has(const std::string& text, const char* line) { return text.find(line) != std::string::npos; }
/// What explain says of the turns of the first loop.
std::string turn_of(const std::string& text) { return text.substr(text.find("loop 1, what a turn is given")); }

constexpr auto cell = [](auto h, auto x, auto w) { return tanh(dot(h, w) + x); };

/// What each turn gives out of its state, its element and its number.
template <class H, class X, class V, class B> constexpr auto head(H before, H after, X x, V v, B b, expr<double, 0> t) {
    auto inner = relu(dot(after * 0.5 + after, v) + b);
    return std::tuple(dot(inner, v) - b * t, softmax<1>(dot(before * x, v)), sum<1>(dot(after, v)), dot(exp(x), v) * after);
}

/// The squares of it all, and their derivatives.
constexpr auto costs = [](const auto& outs, const auto&... p) {
    auto cost = std::apply([](const auto&... o) { return (sum(o * o) + ...); }, outs);
    return std::tuple_cat(std::tuple(cost), std::tuple{grad(cost, p)...});
};

}  // namespace

TEST_CASE("as the turns one by one, with their derivatives") {
    auto looped = function<cpu>([](tensor<double, 4, 3, 2> x, matrix<double> h0, matrix<double> w, matrix<double> v, croton::vector<double> b) {
        auto [last, ys] = scan([&](auto s, auto e) {
            auto [h, t] = s;
            auto n = cell(h, dot(tanh(e * b), w), w);
            return step(std::tuple(n, t + 1), head(h, n, e, v, b, t));
        }, std::tuple(h0, 0.0), x, {.reverse = true});
        return costs(std::tuple_cat(std::tuple(std::get<0>(last)), ys), x, h0, w, v, b);
    });
    auto written = function<reference>([](tensor<double, 4, 3, 2> x, matrix<double> h0, matrix<double> w, matrix<double> v, croton::vector<double> b) {
        expr<double, 2> h = h0;
        expr<double, 0> cost = 0 * sum(b);
        for (int t = 0; t < 4; ++t) {
            auto e = x(3 - t);
            expr<double, 2> n = cell(h, dot(tanh(e * b), w), w);
            std::apply([&](const auto&... o) { cost = cost + (sum(o * o) + ...); }, head(h, n, e, v, b, 0 * sum(b) + static_cast<double>(t)));
            h = n;
        }
        cost = cost + sum(h * h);
        return std::tuple(cost, grad(cost, x), grad(cost, h0), grad(cost, w), grad(cost, v), grad(cost, b));
    });
    array<double, 3> x(4, 3, 2);
    array<double, 2> h(3, 2), w(2, 2), v(2, 2);
    array<double, 1> b(2);
    fill(x, 1), fill(h, 2), fill(w, 3), fill(v, 4), fill(b, 5);
    check_all(looped(x, h, w, v, b), written(x, h, w, v, b));
}

TEST_CASE("products of what a loop gives out are one product behind it") {
    auto f = function<cpu>("behind", [](tensor<double, dim("t"), 3, 2> x, matrix<double, 3, 2> h0, matrix<double, 2, 2> w, matrix<double, 2, 4> v, croton::vector<double, 4> b) {
        auto [last, ys] = scan([&](auto h, auto e) {
            auto n = cell(h, e, w);
            return step(n, std::tuple(dot(tanh(n), v) + b, n * e, cross_entropy(dot(n, v), argmax<1>(e))));
        }, h0, x);
        auto [logits, products, losses] = ys;
        return std::tuple(logits, sum(products), losses);
    });
    const std::string text = explain(f), turn = turn_of(text);
    CHECK(has(text, "dgemm_batched"));
    CHECK(has(text, "tanh(t"));
    CHECK(!has(turn, "tanh(next state1)"));
    // What is made smaller in the turn is not stored for all of them.
    CHECK(has(turn, "next state1 arg4"));
    CHECK(!has(turn, "next state1) arg4"));
    array<double, 3> x(5, 3, 2);
    array<double, 2> h(3, 2), w(2, 2), v(2, 4);
    array<double, 1> b{1, 2, 3, 4};
    fill(x, 1), fill(h, 2), fill(w, 3), fill(v, 4);
    auto [logits, products, losses] = f(x, h, w, v, b);
    for (int t = 0; t < 5; ++t) {
        array<double, 2> next(3, 2);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 2; ++j) next(i, j) = std::tanh(h(i, 0) * w(0, j) + h(i, 1) * w(1, j) + x(t, i, j));
        h = next;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 4; ++j) CHECK(logits(t, i, j) == doctest::Approx(std::tanh(h(i, 0)) * v(0, j) + std::tanh(h(i, 1)) * v(1, j) + b(j)));
    }
    auto [nothing, zero, none_of_them] = f(array<double, 3>(0, 3, 2), h, w, v, b);
    CHECK(nothing.size() == 0);
    CHECK(zero() == 0);
}

TEST_CASE("of what moves behind a loop only what is read is computed") {
    auto f = function<cpu>("last", [](tensor<double, dim("t"), 3, 2> x, matrix<double, 3, 2> h0, matrix<double, 2, 4> v) {
        auto [last, ys] = scan([&](auto h, auto e) {
            auto n = tanh(h + e);
            return step(n, dot(n, v) + 1);
        }, h0, x);
        return ys(-1);
    });
    const std::string text = explain(f);
    CHECK(has(text, "output 1 = matmul(last(state1)[None, :, :], arg3) + 1"));
    CHECK(!has(text, "= states("));
    array<double, 3> x(2, 3, 2);
    array<double, 2> h(3, 2), v(2, 4);
    fill(x, 1), fill(v, 4);
    auto y = f(x, h, v);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) {
            double expected = 1;
            for (int k = 0; k < 2; ++k) expected += std::tanh(std::tanh(x(0, i, k)) + x(1, i, k)) * v(k, j);
            CHECK(y(i, j) == doctest::Approx(expected));
        }
}

TEST_CASE("functions that take long of a few numbers that are given out are computed behind the loop") {
    const auto likelihood = [](vector<double> of, scalar<double> omega, scalar<double> beta) {
        auto [last, parts] = scan([&](auto state, auto e) {
            auto next = omega + sqr(e) + beta * state;
            return step(next, log(next) + sqr(e) / next);
        }, 0.5, of);
        auto all = sum(parts) + last;
        auto [by_omega, by_beta] = grad(all, omega, beta);
        return outputs(all, by_omega, by_beta);
    };
    auto f = function<cpu>("likelihood", likelihood);
    // Of the states alone, which derivatives need anyway.
    CHECK(has(explain(f), "sum(log(t3[1:+n1]) + sqr(arg1) / t3[1:+n1])"));
    CHECK(!has(explain(f), "stack("));
    array<double, 1> x(40);
    fill(x, 1);
    const auto [cost, a, b] = f(x, 0.3, 0.8);
    double h = 0.5, expected = 0, by_omega = 0, by_beta = 0, slope = 0, other = 0;
    for (std::int64_t t = 0; t < 40; ++t) {
        by_beta = h + 0.8 * by_beta;
        by_omega = 1 + 0.8 * by_omega;
        h = 0.3 + x(t) * x(t) + 0.8 * h;
        expected += std::log(h) + x(t) * x(t) / h;
        const double by = 1 / h - x(t) * x(t) / (h * h);
        slope += by * by_omega;
        other += by * by_beta;
    }
    CHECK(cost == doctest::Approx(expected + h));
    CHECK(a == doctest::Approx(slope + by_omega));
    CHECK(b == doctest::Approx(other + by_beta));
    // Those of longer vectors fill registers where they stand.
    auto wide = function<cpu>("wide", [](tensor<double, dim("t"), 9> of, vector<double, 9> first) { return std::get<1>(scan([](auto s, auto e) { return step(s + e, log(s)); }, first, of)); });
    CHECK(has(explain(wide), "out1 = log(state1)"));
}

TEST_CASE("what elements alone decide is computed before the loop where a turn is better without it") {
    auto f = function<cpu>("before", [](matrix<double, dim("t"), 2> x, matrix<int, dim("t"), 3> ids, matrix<double, 9, 2> table, croton::vector<double, 2> m, matrix<double, 2, 2> w) {
        auto [last, ys] = scan([&](auto h, auto e) {
            auto [xt, picked] = e;
            auto rows = take<0>(table, picked);
            return h * 0.5 + dot(xt * m, w) + m + sum<0>(rows) * exp(xt) + abs(xt) / 3;
        }, m, std::tuple(x, ids));
        return std::tuple(last, grad(sum(last), table));
    });
    const std::string text = explain(f), turn = turn_of(text);
    for (const char* const moved : {"exp(arg1[t])", "take<", "sum<0>", "dgemv", "loop 1, a turn: 2"}) CHECK(!has(turn, moved));
    // Cheap work stays where it costs nothing.
    CHECK(has(turn, "abs(arg1[t])"));
    CHECK(!has(text.substr(0, text.find("loop 2")), "set_at"));
    array<double, 2> x(3, 2), table(9, 2), w(2, 2);
    array<double, 1> m{1, -2};
    fill(x, 3), fill(table, 2), fill(w, 1);
    const array<int, 2> ids{{1, 2, 8}, {0, 0, -1}, {4, 2, 3}};
    auto [last, slope] = f(x, ids, table, m, w);
    double h[2] = {1, -2}, of_table[9][2] = {};
    for (int t = 0; t < 3; ++t)
        for (int j = 0; j < 2; ++j) {
            double rows = 0, product = 0;
            for (int k = 0; k < 3; ++k) {
                const int row = (ids(t, k) + 9) % 9;
                rows += table(row, j);
                of_table[row][j] += std::exp(x(t, j)) * (t == 2 ? 1 : t == 1 ? 0.5 : 0.25);
            }
            for (int k = 0; k < 2; ++k) product += x(t, k) * m(k) * w(k, j);
            h[j] = h[j] * 0.5 + product + m(j) + rows * std::exp(x(t, j)) + std::abs(x(t, j)) / 3;
        }
    for (int j = 0; j < 2; ++j) {
        CHECK(last(j) == doctest::Approx(h[j]));
        for (int i = 0; i < 9; ++i) CHECK(slope(i, j) == doctest::Approx(of_table[i][j]));
    }
}

TEST_CASE_TEMPLATE("products with what loops within have, and loops that end early", D, cpu, reference) {
    auto f = function<D>([](tensor<double, dim("t"), 2, 2> m, matrix<double, dim("t"), 3> x, croton::vector<double, 2> h, matrix<double, 2, 2> w) {
        auto [last, ys] = scan([&](auto s, auto e) {
            // clang 14 captures no structured bindings.
            auto mt = std::get<0>(e);
            auto xt = std::get<1>(e);
            auto inner = foldl([&](auto v, auto z) { return dot(mt, v) + z; }, s, xt);
            auto total = foldl([](auto v, auto z) { return v + z; }, 0.0, xt);
            return step(inner, dot(mt * total, w));
        }, h, std::tuple(m, x));
        auto [end, outs, turns] = scan([&](auto s, auto e) { return step(s + e, dot(w, s + 1), until(sum(s) > 4)); }, h, m(slice(), 0));
        return std::tuple(last, ys, outs, turns);
    });
    const array<double, 3> m{{{1, 2}, {3, 4}}, {{0, 1}, {1, 0}}, {{1, 1}, {1, 1}}};
    auto [last, ys, outs, turns] = f(m, array<double, 2>{{1, 2, 3}, {0, 0, 0}, {1, 0, 0}}, array<double, 1>{1, 1}, array<double, 2>{{1, 0}, {0, 2}});
    // (1, 1) -> (4, 8) -> (22, 46) -> (117, 253); three times exchanged; then 371, 742, 1484
    CHECK(last == array<double, 1>{1484, 1484});
    CHECK(ys(0) == array<double, 2>{{6, 24}, {18, 48}});
    CHECK(ys(1) == array<double, 2>{{0, 0}, {0, 0}});
    CHECK(turns() == 2);
    CHECK(outs == array<double, 2>{{2, 4}, {3, 8}, {0, 0}});
}
