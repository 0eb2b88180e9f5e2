// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support.hpp"

using namespace croton;

namespace {

const array<double, 1> u{-100, -40, -1, 0, 1, 40, 100, -100, 100};
const array<double, 1> y{0, 0, 0.25, 0.5, 1, 1, 1, 1, 0};

// softplus(u) - y u, and sigmoid(u) - y.
template <class R> void check(const R& results, double tolerance) {
    const auto& [each, slope] = results;
    for (std::int64_t i = 0; i < u.size(); ++i) {
        const long double x = u(i), t = y(i);
        const auto wanted = static_cast<double>(std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x))) - t * x);
        const auto descent = static_cast<double>(1 / (1 + std::exp(-x)) - t);
        INFO("u = " << u(i) << ", y = " << y(i));
        CHECK(std::fabs(static_cast<double>(each(i)) - wanted) <= tolerance * std::max(1.0, wanted));
        CHECK(std::fabs(static_cast<double>(slope(i)) - descent) <= tolerance);
    }
}

template <class T> array<T, 1> as(const array<double, 1>& x) { return array<T, 1>(x.begin(), x.end()); }

}  // namespace

TEST_CASE("binary cross-entropy of a sigmoid is stable") {
    auto f = function<cpu>([](vector<float> x, vector<float> t) {
        auto each = binary_cross_entropy(sigmoid(x), t);
        return std::tuple(each, grad(sum(each), x));
    });
    check(f(as<float>(u), as<float>(y)), 1e-6);
    auto g = function<cpu>([](vector<double> x, vector<double> t) {
        auto each = binary_cross_entropy(1 / (1 + exp(-x)), t);
        return std::tuple(each, grad(sum(each), x));
    });
    check(g(u, y), 1e-15);
}

TEST_CASE("binary cross-entropy of logits, on both devices") {
    constexpr auto loss = [](vector<double> x, vector<double> t) {
        auto each = binary_cross_entropy_with_logits(x, t);
        return std::tuple(each, grad(sum(each), x));
    };
    auto f = function<cpu>(loss);
    auto g = function<reference>(loss);
    check(f(u, y), 1e-15);
    check(g(u, y), 1e-15);
}

TEST_CASE_TEMPLATE("binary cross-entropy of probabilities that are certain", Device, cpu, reference) {
    auto f = function<Device>([](vector<double> p, vector<double> t) {
        auto each = binary_cross_entropy(p, t);
        auto slope = grad(sum(each), p);
        return std::tuple(each, slope, grad(sum(slope), p), grad(sum(each), t));
    });
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto [each, slope, second, of_t] = f(array<double, 1>{0, 1, 0, 1, 1e-20, 0.25}, array<double, 1>{0, 1, 1, 0, 0, 0.5});
    CHECK(each(0) == 0);
    CHECK(each(1) == 0);
    CHECK(each(2) == infinity);
    CHECK(each(3) == infinity);
    CHECK(each(4) == 1e-20);
    CHECK(each(5) == doctest::Approx(-0.5 * std::log(0.25 * 0.75)));
    // -log(1 - p) and -log p, which are the loss at these labels.
    CHECK(slope(0) == 1);
    CHECK(slope(1) == -1);
    CHECK(slope(2) == -infinity);
    CHECK(slope(3) == infinity);
    CHECK(slope(5) == doctest::Approx(-0.5 / 0.25 + 0.5 / 0.75));
    CHECK(second(0) == 1);
    CHECK(second(1) == 1);
    CHECK(second(5) == doctest::Approx(0.5 / 0.0625 + 0.5 / 0.5625));
    CHECK(of_t(0) == 0);
    CHECK(of_t(1) == 0);
    CHECK(of_t(5) == doctest::Approx(std::log(3.0)));
}

TEST_CASE("a mean with a weight, as training has it") {
    auto f = function<cpu>([](matrix<float> x, vector<float> t, vector<float> w) {
        auto cost = mean(binary_cross_entropy(sigmoid(dot(x, w)), t)) + 0.01 * sum(sqr(w));
        return std::tuple(cost, grad(cost, w));
    });
    const array<float, 2> x{{100, 0}, {0, -100}, {50, 50}};
    const auto [cost, slope] = f(x, array<float, 1>{0, 1, 1}, array<float, 1>{1, 1});
    CHECK(static_cast<float>(cost) == doctest::Approx((100 + 100 + 0) / 3.0 + 0.02));
    CHECK(slope(0) == doctest::Approx(100 / 3.0 + 0.02));
    CHECK(slope(1) == doctest::Approx(100 / 3.0 + 0.02));
}
