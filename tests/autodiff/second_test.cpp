// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

const array<double, 1> points{-1.5, -0.5, 0.25, 1, 2};

template <class R, class F> void check(const R& got, F&& wanted) {
    for (std::int64_t i = 0; i < points.size(); ++i) CHECK(got(i) == doctest::Approx(wanted(points(i))).epsilon(1e-12));
}

}  // namespace

TEST_CASE("grad of grad is the second derivative") {
    auto f = function<cpu>([](vector<double> x) {
        const auto second = [&](const auto& y) { return grad(sum(grad(sum(y), x)), x); };
        return std::tuple(second(exp(2 * x)), second(x * x * x), second(tanh(x)), second(sigmoid(x)),
                          second(softplus(x)), second(log(1 + sqr(x))));
    });
    const auto [e, cube, t, s, plus, l] = f(points);
    check(e, [](double x) { return 4 * std::exp(2 * x); });
    check(cube, [](double x) { return 6 * x; });
    check(t, [](double x) { return -2 * std::tanh(x) * (1 - std::tanh(x) * std::tanh(x)); });
    const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    check(s, [&](double x) { return sigma(x) * (1 - sigma(x)) * (1 - 2 * sigma(x)); });
    check(plus, [&](double x) { return sigma(x) * (1 - sigma(x)); });
    check(l, [](double x) { return 2 * (1 - x * x) / ((1 + x * x) * (1 + x * x)); });
}

TEST_CASE("the third derivative") {
    auto f = function<cpu>(
        [](vector<double> x) { return grad(sum(grad(sum(grad(sum(sqr(sqr(x)) / 24 + exp(x)), x)), x)), x); });
    check(f(points), [](double x) { return x + std::exp(x); });
}

TEST_CASE("the penalty on a gradient") {
    auto f = function<cpu>([](vector<double> w, vector<double> x) {
        auto cost = sqr(dot(w, x)) / 2;
        auto g = grad(cost, x);
        return grad(sum(sqr(g)), w);  // g = w (w x), so sum(g^2) = w^2 (w x)^2
    });
    const array<double, 1> w{1, 2}, x{3, -1};
    const array<double, 1> got = f(w, x);
    const double wx = 1, ww = 5;
    for (std::int64_t i = 0; i < 2; ++i) CHECK(got(i) == doctest::Approx(2 * w(i) * wx * wx + 2 * ww * wx * x(i)));
}

TEST_CASE("the slopes of gelu at infinities are those that it goes to") {
    const auto f = function<cpu>([](vector<double> x) {
        return std::tuple(grad(sum(detail::elementwise<op::gelu>(x)), x), grad(sum(detail::elementwise<op::gelu_tanh>(x)), x));
    });
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto [exact, by_tanh] = f(array<double, 1>{-infinity, -100, 0, 100, infinity});
    const array<double, 1> want{0, 0, 0.5, 1, 1};
    CHECK(exact == want);
    CHECK(by_tanh == want);
}

namespace {

/// The second derivatives of f(x, y), where one argument is repeated along the other: each sum of those of its copies.
template <class F> struct second_of_repeated {
    static constexpr auto second(const auto& a, const auto& b) {
        const auto [by_a, by_b] = grad(sum(F()(a, b)), a, b);
        return std::tuple(grad(sum(by_a), a), grad(sum(by_a), b), grad(sum(by_b), a), grad(sum(by_b), b));
    }
    constexpr auto operator()(vector<double, dim("n")> x, scalar<double> y, vector<double, dim("n")> copies) const {
        const auto [aa, ab, ba, bb] = second(x, y);
        const auto [cc, cd, dc, dd] = second(x, copies);
        return std::tuple(aa, ab, ba, bb, cc, sum(cd), dc, sum(dd));
    }
};
template <class F> void check_repeated(const F&) {
    const array<double, 1> x{0.5, 1.25, 2, 3};
    const auto [aa, ab, ba, bb, cc, cd, dc, dd] = function<cpu>(second_of_repeated<F>())(x, 1.5, array<double, 1>::full({4}, 1.5));
    for (int i = 0; i < 4; ++i) {
        CHECK(aa(i) == doctest::Approx(cc(i)).epsilon(1e-13));
        CHECK(ba(i) == doctest::Approx(dc(i)).epsilon(1e-13));
    }
    CHECK(double(ab) == doctest::Approx(double(cd)).epsilon(1e-13));
    CHECK(double(bb) == doctest::Approx(double(dd)).epsilon(1e-13));
}

}  // namespace

TEST_CASE("second derivatives where an argument is repeated along the other") {
    check_repeated([](const auto& x, const auto& y) { return hypot(x, y); });
    check_repeated([](const auto& x, const auto& y) { return hypot(y, x); });
    check_repeated([](const auto& x, const auto& y) { return atan2(x, y); });
    check_repeated([](const auto& x, const auto& y) { return pow(x, y); });
    check_repeated([](const auto& x, const auto& y) { return pow(y, x); });
}

TEST_CASE("second derivatives for each of several numbers that are repeated") {
    const auto f = function<cpu>([](vector<double, dim("n")> x, vector<double, dim("m")> each) {
        const auto slope = [&](const auto& y) { return grad(sum(pow(x, y) + hypot(x, y)), x); };
        const auto second = [&](const auto& y) { return grad(sum(slope(y)), y); };
        return std::tuple(vmap(second, each), second(each(0)), second(each(1)), second(each(2)));
    });
    const auto [all, first, middle, last] = f(array<double, 1>{0.5, 1.25, 2, 3}, array<double, 1>{1.5, 2.25, -0.5});
    CHECK(all(0) == doctest::Approx(double(first)).epsilon(1e-13));
    CHECK(all(1) == doctest::Approx(double(middle)).epsilon(1e-13));
    CHECK(all(2) == doctest::Approx(double(last)).epsilon(1e-13));
}
