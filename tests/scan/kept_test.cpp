// SPDX-License-Identifier: MIT
// Of values of each turn of which only the last are read, only those are kept: the values are the same, the memory is less.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

// Turn t of n has h = x(0) + ... + x(t), and gives out h and h x(t).
template <class X> constexpr auto turns(X x, bool reverse) {
    auto [last, ys] = scan([](auto h, auto e) {
        auto n = h + e;
        return step(n, std::tuple(n, n * e));
    }, 0.0, x, {.reverse = reverse});
    auto [hs, products] = ys;
    return std::tuple(last, hs, products);
}
template <class X> constexpr auto newest(X x) {
    auto [last, hs, products] = turns(x, false);
    return std::tuple(last, hs(slice(-3, none)), products(slice(-4, -1)), products(slice(-3, none, 2)));
}
template <class X> constexpr auto newest_backwards(X x) {
    auto [last, hs, products] = turns(x, true);
    return std::tuple(last, hs(slice(0, 3)), products(slice(1, 3)), products(slice(0, 3, 2)));
}
template <class X> constexpr auto one_by_one(X x, bool reverse) {
    auto [last, hs, products] = turns(x, reverse);
    return std::tuple(last, hs(-1), hs(0), products(-1), products(-2), products(0), grad(hs(-1) * products(-1) + hs(0), x));
}

template <class... A> void check_same(const std::tuple<A...>& a, const std::tuple<A...>& b) {
    const auto check = [](const auto& x, const auto& y) { CHECK(x == y); };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (check(std::get<I>(a), std::get<I>(b)), ...); }(std::index_sequence_for<A...>());
}

}  // namespace

TEST_CASE("the last turns, as all of them give them") {
    auto f = function<cpu>("f", [](croton::vector<double> x) { return newest(x); });
    auto all = function<reference>("all", [](croton::vector<double> x) { return newest(x); });
    auto back = function<cpu>("back", [](croton::vector<double> x) { return newest_backwards(x); });
    auto all_back = function<reference>([](croton::vector<double> x) { return newest_backwards(x); });
    for (int n = 0; n < 7; ++n) {
        array<double, 1> x(n);
        for (int i = 0; i < n; ++i) x(i) = i * i - 2;
        check_same(f(x), all(x));
        check_same(back(x), all_back(x));
    }
    auto [last, hs, some, every] = f(array<double, 1>{1, 2, 3, 4, 5});
    CHECK(hs == array<double, 1>{6, 10, 15});
    CHECK(some == array<double, 1>{6, 18, 40});
    CHECK(every == array<double, 1>{18, 75});
    CHECK(explain(f).find("stack(out1)[-3:]") != std::string::npos);
    CHECK(explain(back).find("= stack(out1)[:3]") != std::string::npos);
    CHECK(explain(all).find("= states(state1)") != std::string::npos);
}

TEST_CASE_TEMPLATE("one turn, whose values are there where there are turns", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> x) { return one_by_one(x, false); });
    auto back = function<D>([](croton::vector<double, 4> x) { return one_by_one(x, true); });
    auto [last, h, first, y, before, oldest, slope] = f(array<double, 1>{1, 2, 3, 4});
    CHECK(h == last);
    CHECK(first() == 1);
    CHECK(y() == 40);
    CHECK(before() == 18);
    CHECK(oldest() == 1);
    // h = sum x: h h x3 + x0
    CHECK(slope == array<double, 1>{81, 80, 80, 180});
    auto [end, start, state, product, second, newest, turned] = back(array<double, 1>{1, 2, 3, 4});
    CHECK(start() == 4);
    CHECK(state() == 10);
    CHECK(product() == 16);
    CHECK(second() == 21);
    CHECK(newest() == 10);
    CHECK(turned == array<double, 1>{1, 1, 1, 1 + 48});
    CHECK_THROWS_AS(f(array<double, 1>(0)), shape_error);
    CHECK_THROWS_AS(f(array<double, 1>{3}), shape_error);
}

TEST_CASE("what is not read takes no memory") {
    auto f = function<cpu>("kept", [](tensor<float, dim("t"), 10, 20> x, matrix<float, 10, 20> h) {
        auto [last, ys] = scan([](auto s, auto e) {
            auto n = tanh(s + e);
            return step(n, std::tuple(n, exp(e) * s, sqrt(e) * s, s - e));
        }, h, x);
        auto [hs, unread, newest, several] = ys;
        return std::tuple(sum(hs(-1)), sum(newest(-1)), sum(several(slice(-3, none))), hs(slice(-2, none)));
    });
    const std::string text = explain(f);
    for (const char* const line : {"last(state1)", "t2 = stack(out2)[-1:]", "t3 = stack(out3)[-3:]", "output 4 = stack(out1)[-2:]"}) CHECK(text.find(line) != std::string::npos);
    for (const char* const gone : {"= states(state1)\n", "out4", "exp(", "[t, 10, 20]   step", "t2["}) CHECK(text.find(gone) == std::string::npos);
    profile scope{"memory"};
    (void)f(array<float, 3>(100, 10, 20), array<float, 2>(10, 20));
    CHECK(scope.functions()[0].planned_bytes < 8 * 4 * 10 * 20);
}

TEST_CASE("loops in loops, and what else a loop reads") {
    auto f = function<cpu>([](matrix<double> x) {
        auto [state, rows] = scan([&](auto s, auto row) {
            auto [total, parts] = scan([&](auto t, auto e) { return step(t + e, std::tuple(t * e, t - e)); }, s, row);
            auto [products, differences] = parts;
            return step(total, std::tuple(products(-1), differences));
        }, 0.0, x);
        auto [products, differences] = rows;
        return std::tuple(products, differences(slice(-1, none)), foldl([](auto a, auto b) { return a + b; }, 0.0, products));
    });
    auto [products, differences, total] = f(array<double, 2>{{1, 2}, {3, 4}, {5, 6}});
    CHECK(products == array<double, 1>{2, 24, 90});
    CHECK(differences == array<double, 2>{{5, 9}});
    CHECK(total() == 116);
}
