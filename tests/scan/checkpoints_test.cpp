// SPDX-License-Identifier: MIT
// Loops whose derivatives run turns again: values and derivatives are those of the loop that stores every turn.
#include "scan/close.hpp"

using namespace croton;
using namespace test;

template <int Checkpoint> constexpr auto network = [](matrix<double> x, croton::vector<double> h0, matrix<double> w, matrix<double> u) {
    auto [last, ys] = scan([&](auto h, auto xt) {
        auto n = tanh(dot(xt, w) + dot(h, u));
        return step(n, sum(n * xt));
    }, h0, x, {.checkpoint = Checkpoint});
    auto cost = sum(sqr(last)) + sum(ys * ys);
    auto [gx, gh, gw, gu] = grad(cost, x, h0, w, u);
    return std::tuple(last, ys, gx, gh, gw, gu);
};

TEST_CASE_TEMPLATE("a recurrent network of any length", D, cpu, reference) {
    auto all = function<D>(network<0>);
    auto third = function<D>(network<3>);
    auto root = function<D>(network<sqrt_of_turns>);
    for (int turns : {0, 1, 2, 3, 7, 9, 10}) {
        array<double, 2> x(turns, 2), w(2, 2), u(2, 2);
        array<double, 1> h(2);
        fill(x, 1), fill(h, 2), fill(w, 3), fill(u, 4);
        const auto expected = all(x, h, w, u);
        check_all(third(x, h, w, u), expected);
        check_all(root(x, h, w, u), expected);
    }
}

template <template <class, int> class A> struct cell {
    A<double, 1> h;
    A<double, 0> c;
};

// Backwards, with a model and a whole number as state, a loop in the turn, and what is given out of all of them.
template <int Checkpoint> constexpr auto everything = [](matrix<double, 7, 2> x, scalar<double> a) {
    auto turn = [&](auto state, auto e) {
        // clang 14 captures no structured bindings.
        auto s = std::get<0>(state);
        auto count = std::get<1>(state);
        auto [inner, parts] = scan([&](auto v, auto part) { return step(tanh(v * a + part), v * s.c); }, s.c, e);
        auto next = s;
        next.h = sin(s.h + e * a);
        next.c = inner + sum(s.h) * cast<double>(count);
        return step(std::tuple(next, count + 1), std::tuple(parts, sum(next.h)));
    };
    cell<symbol> first{a * x(0), a * 2};
    auto [last, ys] = scan(turn, std::tuple(first, cast<std::int64_t>(a * 0)), x, {.reverse = true, .checkpoint = Checkpoint});
    auto [state, count] = last;
    auto cost = sum(state.h) * state.c + sum(std::get<0>(ys)) + sum(sqr(std::get<1>(ys)));
    auto [gx, ga] = grad(cost, x, a);
    return std::tuple(cost, std::get<0>(ys), std::get<1>(ys), gx, ga);
};

TEST_CASE_TEMPLATE("states and loops of every kind", D, cpu, reference) {
    array<double, 2> x(7, 2);
    fill(x, 5);
    check_all(function<D>(everything<3>)(x, 0.7), function<D>(everything<0>)(x, 0.7));
}

template <int Checkpoint> constexpr auto counted = [](croton::vector<double> x, scalar<double> a) {
    auto [square, all] = scan([&](auto v, auto t) { return step(sin(v * a) + cast<double>(t), v * v * cast<double>(t)); }, a, times(x.extent(0)),
                              {.reverse = true, .checkpoint = Checkpoint});
    auto slope = grad(square + sum(all * x), a);
    return std::tuple(square, all, slope, grad(slope, a));
};

TEST_CASE_TEMPLATE("the number of the turn, and a second derivative", D, cpu, reference) {
    auto all = function<D>(counted<0>);
    auto second = function<D>(counted<2>);
    auto each = function<D>(counted<1>);
    for (int turns : {0, 1, 4, 5}) {
        array<double, 1> x(turns);
        fill(x, 5);
        const auto expected = all(x, 0.7);
        check_all(second(x, 0.7), expected);
        check_all(each(x, 0.7), expected);
    }
}
