// SPDX-License-Identifier: MIT
// Loops over the same turns, of which none needs what another one gives, are one loop.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class F> std::string plan_of(const F& f) {
    const std::string text = explain(f);
    return text.substr(text.find("plan:"));
}
int count(const std::string& text, const std::string& part) {
    int n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

using V = croton::vector<double>;
using S = scalar<double>;

constexpr auto apart = [](V x, S a, S b) {
    auto [last, ys] = scan([&](auto s, auto e) {
        auto n = tanh(s * a + e * b);
        return step(n, n);
    }, 0.5, x);
    auto cost = sum(sqr(ys));
    return std::tuple(grad(cost, a), grad(cost, b), grad(cost, x));
};
constexpr auto together = [](V x, S a, S b) {
    auto [last, ys] = scan([&](auto s, auto e) {
        auto n = tanh(s * a + e * b);
        return step(n, n);
    }, 0.5, x);
    return grad(sum(sqr(ys)), a, b, x);
};
constexpr auto independent = [](V x, S a, S b) {
    auto [one, ys] = scan([&](auto s, auto e) { return step(s * a + e, s * e); }, 0.5, x);
    auto [two, zs] = scan([&](auto s, auto t) { return step(s * b + cast<double>(t), s); }, 1.5, times(x.extent(0)));
    return std::tuple(one, two, sum(ys * zs), ys(slice(0, 1)));
};
constexpr auto different = [](V x, S a, S b) {
    auto [one, ys] = scan([&](auto s, auto e) { return step(s * a + e, s); }, 0.5, x);
    auto [two, zs] = scan([&](auto s, auto e) { return step(s * b + e, s); }, 0.5, ys);                     // needs the first
    auto [three, us] = scan([&](auto s, auto e) { return step(s * b + e, s); }, 0.5, x, {.reverse = true});  // the other way
    auto four = std::get<0>(scan([&](auto s) { return s * b; }, a * 0.25, times(3)));                             // other turns
    return std::tuple(one, two, three, four);
};
constexpr auto twice = [](V x, S a) {
    const auto run = [&] {
        return std::get<0>(scan([&](auto state, auto e) {
            auto [s, t] = state;
            return std::tuple(s * a + t, t + e);
        }, std::tuple(a * 0, a * 0), x));
    };
    return std::tuple(std::get<0>(run()), std::get<1>(run()), std::get<0>(run()) * 2);
};
constexpr auto inside = [](matrix<double> x, S a, S b) {
    return std::get<0>(scan([&](auto s, auto row) {
        auto u = std::get<0>(scan([&](auto v, auto e) { return v * a + e; }, s, row));
        auto w = std::get<0>(scan([&](auto v, auto e) { return v * b - e * s; }, s, row));
        return u + w;
    }, 1.0, x));
};

}  // namespace

TEST_CASE("gradients of one cost that are taken apart") {
    auto f = function<cpu>(apart);
    auto g = function<cpu>(together);
    CHECK(count(plan_of(f), "  scan  loop ") == 2);
    CHECK(count(plan_of(f), "carries ") == count(plan_of(g), "carries "));
    const array<double, 1> x = {1, -2, 0.25, 3};
    const auto [a, b, c] = f(x, 0.3, 0.7);
    const auto [p, q, r] = g(x, 0.3, 0.7);
    // By hand, forwards and back.
    double s[5] = {0.5}, back = 0, of_a = 0, of_b = 0;
    for (int t = 0; t < 4; ++t) s[t + 1] = std::tanh(s[t] * 0.3 + x(t) * 0.7);
    for (int t = 3; t >= 0; --t) {
        const double d = (2 * s[t + 1] + back) * (1 - s[t + 1] * s[t + 1]);
        of_a += d * s[t];
        of_b += d * x(t);
        back = d * 0.3;
        CHECK(c(t) == doctest::Approx(d * 0.7));
        CHECK(r(t) == doctest::Approx(d * 0.7));
    }
    CHECK(a() == doctest::Approx(of_a));
    CHECK(b() == doctest::Approx(of_b));
    CHECK(p() == doctest::Approx(of_a));
    CHECK(q() == doctest::Approx(of_b));
}
TEST_CASE("loops that do not know each other") {
    auto f = function<cpu>(independent);
    CHECK(count(plan_of(f), "  scan  loop ") == 1);
    const array<double, 1> x = {1, -2, 0.25};
    const auto [one, two, both, first] = f(x, 2.0, 3.0);
    CHECK(one() == ((0.5 * 2 + 1) * 2 - 2) * 2 + 0.25);
    CHECK(two() == ((1.5 * 3 + 0) * 3 + 1) * 3 + 2);
    CHECK(both() == 0.5 * 1 * 1.5 + 2 * -2 * 4.5 + 2 * 0.25 * 14.5);
    CHECK(first(0) == 0.5);
    CHECK(std::get<0>(f(array<double, 1>(0), 2.0, 3.0))() == 0.5);
}
TEST_CASE("what stays apart") {
    auto f = function<cpu>(different);
    CHECK(count(plan_of(f), "  scan  loop ") == 4);
    const auto [one, two, three, four] = f(array<double, 1>{1, 2}, 2.0, 3.0);
    CHECK(one() == 6);
    CHECK(two() == (0.5 * 3 + 0.5) * 3 + 2);
    CHECK(three() == (0.5 * 3 + 2) * 3 + 1);
    CHECK(four() == 13.5);
}
TEST_CASE("the same loop twice, and loops in the turns of a loop") {
    auto f = function<cpu>(twice);
    CHECK(count(plan_of(f), "  scan  loop ") == 1);
    CHECK(count(plan_of(f), "carries ") == 2);
    const auto [s, t, d] = f(array<double, 1>{1, 2, 4}, 2.0);
    CHECK(s() == 5);
    CHECK(t() == 7);
    CHECK(d() == 10);
    auto g = function<cpu>(inside);
    CHECK(count(explain(g), "loops over the same turns are one") == 1);
    double want = 1;
    const array<double, 2> x = {{1, 2}, {3, -1}};
    for (int i = 0; i < 2; ++i) {
        double u = want, w = want;
        for (int j = 0; j < 2; ++j) {
            u = u * 0.5 + x(i, j);
            w = w * 0.25 - x(i, j) * want;
        }
        want = u + w;
    }
    CHECK(g(x, 0.5, 0.25)() == doctest::Approx(want));
}
