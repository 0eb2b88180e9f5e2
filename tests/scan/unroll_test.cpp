// SPDX-License-Identifier: MIT
// Turns that are written out: values and derivatives are those of the loop as it is.
#include "scan/close.hpp"

using namespace croton;
using namespace test;

template <int Unroll, int Checkpoint = 0> constexpr auto network = [](matrix<double> x, croton::vector<double> h0, matrix<double> w, matrix<double> u) {
    auto [last, ys] = scan([&](auto h, auto xt) {
        auto n = tanh(dot(xt, w) + dot(h, u));
        return step(n, std::tuple(sum(n * xt), n));
    }, h0, x, {.checkpoint = Checkpoint, .unroll = Unroll});
    auto cost = sum(sqr(last)) + sum(sqr(std::get<0>(ys))) + sum(std::get<1>(ys));
    auto [gx, gh, gw, gu] = grad(cost, x, h0, w, u);
    return std::tuple(last, std::get<0>(ys), gx, gh, gw, gu);
};

TEST_CASE_TEMPLATE("any length", D, cpu, reference) {
    auto plain = function<D>(network<1>);
    auto three = function<D>(network<3>);
    auto both = function<D>(network<2, 3>);
    for (int turns : {0, 1, 3, 7, 10}) {
        array<double, 2> x(turns, 2), w(2, 2), u(2, 2);
        array<double, 1> h(2);
        fill(x, 1), fill(h, 2), fill(w, 3), fill(u, 4);
        const auto expected = plain(x, h, w, u);
        check_all(three(x, h, w, u), expected);
        check_all(both(x, h, w, u), expected);
    }
}

template <int Unroll> constexpr auto backwards = [](matrix<double, 5, 2> x, scalar<double> a) {
    auto [last, ys] = scan([&](auto state, auto e) {
        // clang 14 captures no structured bindings.
        auto s = std::get<0>(state);
        auto count = std::get<1>(state);
        auto [inner, parts] = scan([&](auto v, auto part) { return step(v * a + part, v * s); }, s, e);
        return step(std::tuple(sin(inner), count + 1), std::tuple(parts, s * cast<double>(count)));
    }, std::tuple(a * a, cast<std::int64_t>(a * 0)), x, {.reverse = true, .unroll = Unroll});
    auto [turned, squares] = scan([&](auto v, auto t) { return step(v * a + cast<double>(t), v * v); }, a, times(x.extent(0)), {.unroll = Unroll});
    auto cost = std::get<0>(last) + sum(std::get<0>(ys)) * turned + sum(std::get<1>(ys)) + sum(squares);
    auto slope = grad(cost, a);
    return std::tuple(cost, std::get<0>(ys), squares, grad(cost, x), slope, grad(slope, a));
};

TEST_CASE("backwards, with a loop in the turn and its number, and a second derivative") {
    array<double, 2> x(5, 2);
    fill(x, 3);
    const auto expected = function<cpu>(backwards<1>)(x, 0.7);
    check_all(function<cpu>(backwards<2>)(x, 0.7), expected);
}

TEST_CASE("more turns than there are") {
    auto f = function<cpu>([](croton::vector<double, 3> x) { return scan([](auto s, auto e) { return step(2 * s + e, s); }, 1.0, x, {.unroll = 8}); });
    auto [last, ys] = f(array<double, 1>{1, 2, 3});
    CHECK(last == array<double, 0>(19.0));
    CHECK(ys == array<double, 1>{1, 3, 8});
}
