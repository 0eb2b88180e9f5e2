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
