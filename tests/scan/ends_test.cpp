// SPDX-License-Identifier: MIT
// Loops that a value ends: until, times of a value, while_loop, and the branch of a cond that is taken.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("until a condition holds", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> x, scalar<double> a) {
        auto [last, ys, turns] = scan([&](auto s, auto e) {
            auto n = s * a + e;
            return step(n, s * s, until(n > 10));
        }, a, x);
        auto cost = last + sum(ys);
        auto [gx, ga] = grad(cost, x, a);
        return std::tuple(last, ys, turns, gx, ga, grad(sum(gx * gx) + ga * ga, a));
    });
    // 2, then 5, then 13: two turns of four.
    auto [last, ys, turns, gx, ga, second] = f(array<double, 1>{1, 3, 5, 7}, 2.0);
    CHECK(last == array<double, 0>(13.0));
    CHECK(ys == array<double, 1>{4, 25, 0, 0});
    CHECK(turns == array<std::int64_t, 0>(std::int64_t{2}));
    // cost = ((a a + x0) a + x1) + a^2 + (a a + x0)^2
    CHECK(gx == array<double, 1>{2 + 10, 1, 0, 0});
    CHECK(ga == array<double, 0>(3 * 4 + 1 + 4 + 2 * 5 * 4));
    // gx0 = a + 2 (a^2 + x0), gx1 = 1, ga = 3 a^2 + x0 + 2 a + 4 a (a^2 + x0)
    CHECK(second() == doctest::Approx(2 * 12 * (1 + 4 * 2) + 2 * 57.0 * (6 * 2 + 2 + 12 * 4 + 4)));
    auto [all, of_all, four, d0, d1, d2] = f(array<double, 1>{1, 1, 1, 1}, 0.5);
    CHECK(four == array<std::int64_t, 0>(std::int64_t{4}));
    CHECK(of_all(3) > 0);
}

TEST_CASE_TEMPLATE("as often as a value says, backwards too", D, cpu, reference) {
    auto f = function<D>([](scalar<int> n, scalar<double> a) {
        auto [power, nothing] = scan([&](auto p) { return p * a; }, a * 0 + 1, times(n));
        auto [same, all] = scan([&](auto p, auto t) { return step(p * a, cast<double>(t)); }, a * 0 + 1, times(n, 6), {.reverse = true});
        return std::tuple(power, same, all, grad(same, a), grad(grad(same, a), a));
    });
    auto [power, same, all, slope, bend] = f(4, 3.0);
    CHECK(power == array<double, 0>(81.0));
    CHECK(same == power);
    CHECK(all == array<double, 1>{0, 1, 2, 3, 0, 0});
    CHECK(slope == array<double, 0>(108.0));
    CHECK(bend == array<double, 0>(108.0));
    auto [one, also, none_of_them, flat, straight] = f(0, 3.0);
    CHECK(one == array<double, 0>(1.0));
    CHECK(none_of_them == array<double, 1>{0, 0, 0, 0, 0, 0});
    CHECK(flat == array<double, 0>(0.0));
    auto [most, too, full, x, y] = f(9, 2.0);
    CHECK(most == array<double, 0>(512.0));
    CHECK(too == array<double, 0>(64.0));
    CHECK(full(0) == 0);
    CHECK(full(1) == 1);
}

TEST_CASE_TEMPLATE("while a condition holds", D, cpu, reference) {
    // Newton's square root, and Collatz.
    auto f = function<D>([](scalar<double> a, scalar<std::int64_t> n) {
        auto root = while_loop([&](auto x) { return abs(x * x - a) > 1e-12; }, [&](auto x) { return 0.5 * (x + a / x); }, a);
        auto bounded = while_loop([&](auto x) { return abs(x * x - a) > 1e-12; }, [&](auto x) { return 0.5 * (x + a / x); }, a, 40);
        auto guessed = while_loop([&](auto x) { return abs(x * x - a) > 1e-12; }, [&](auto x) { return 0.5 * (x + a / x); }, 1.0);
        auto [left, steps] = while_loop([](auto s) { return std::get<0>(s) > 1; },
                                        [](auto s) {
                                            auto [k, count] = s;
                                            return std::tuple(where(k % 2 == 0, floor_divide(k, 2), 3 * k + 1), count + 1);
                                        },
                                        std::tuple(n, std::int64_t{0}));
        return std::tuple(root, grad(bounded, a), steps, guessed);
    });
    auto [root, slope, steps, guessed] = f(2.0, std::int64_t{27});
    CHECK(guessed() == doctest::Approx(std::sqrt(2.0)));
    CHECK(root() == doctest::Approx(std::sqrt(2.0)));
    CHECK(slope() == doctest::Approx(0.5 / std::sqrt(2.0)));
    CHECK(steps == array<std::int64_t, 0>(std::int64_t{111}));
    auto [one, flat, no, also] = f(1.0, std::int64_t{1});
    CHECK(one == array<double, 0>(1.0));
    CHECK(no == array<std::int64_t, 0>(std::int64_t{0}));
}

TEST_CASE_TEMPLATE("the branch that is taken", D, cpu, reference) {
    auto f = function<D>([](croton::vector<double> x, scalar<double> a) {
        auto y = exp(x);
        auto z = cond(a > 0, [&] { return log(a) * y; }, [&] { return x * sqrt(-a); });
        auto [gx, ga] = grad(sum(z * z), x, a);
        return std::tuple(z, gx, ga);
    });
    array<double, 1> x{1, 2};
    auto [up, gx, ga] = f(x, 2.0);
    CHECK(up(1) == doctest::Approx(std::log(2.0) * std::exp(2.0)));
    CHECK(gx(0) == doctest::Approx(2 * std::pow(std::log(2.0) * std::exp(1.0), 2)));
    CHECK(ga() == doctest::Approx(2 * std::log(2.0) / 2 * (std::exp(2.0) + std::exp(4.0))));
    // The other branch would make NaN of its derivative.
    auto [down, hx, ha] = f(x, -4.0);
    CHECK(down == array<double, 1>{2, 4});
    CHECK(hx == array<double, 1>{8, 16});
    CHECK(ha() == doctest::Approx(-5.0));
}

TEST_CASE("folds") {
    auto f = function<cpu>([](croton::vector<double> x) {
        auto digits = [](auto s, auto e) { return s * 10 + e; };
        return std::tuple(foldl(digits, sum(x) * 0, x), foldr(digits, sum(x) * 0, x));
    });
    auto [left, right] = f(array<double, 1>{1, 2, 3});
    CHECK(left == array<double, 0>(123.0));
    CHECK(right == array<double, 0>(321.0));
}

TEST_CASE("what fails in a turn changes nothing, and a copy of a function ends its loops itself") {
    auto solved = function<cpu>([](tensor<double, dim("t"), 2, 2> a, shared<croton::vector<double, 2>> w) {
        auto [last, ys] = scan([](auto v, auto m) { return step(solve(cholesky(m), v), sum(v)); }, w, a);
        return outputs(ys).updates(w -= 0.5 * w + sum(last));
    });
    array<double, 3> a(3, 2, 2);
    for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 2; ++i) a(t, i, i) = t == 2 ? -1 : 4;
    array<double, 1> w{1, 2}, ys{7, 7, 7};
    CHECK_THROWS_AS(solved.call_into(ys, a, w), value_error);
    CHECK(w == array<double, 1>{1, 2});
    CHECK(ys == array<double, 1>{7, 7, 7});
    a(2, 0, 0) = a(2, 1, 1) = 1;
    solved.call_into(ys, a, w);
    CHECK(ys == array<double, 1>{3, 1.5, 0.75});

    auto count = function<cpu>([](scalar<double> most) { return std::get<2>(scan([&](auto s) { return step(s + 1, none, until(s >= most)); }, most * 0, times(50))); });
    CHECK(count(3.0) == array<std::int64_t, 0>(std::int64_t{4}));
    const auto copy = count;
    CHECK(copy(7.0) == array<std::int64_t, 0>(std::int64_t{8}));
    CHECK(count(2.0) == array<std::int64_t, 0>(std::int64_t{3}));
}
