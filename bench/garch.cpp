// SPDX-License-Identifier: MIT
// How likely 5,000 returns are by a GARCH(1,1), whose variance of each day is made of the return and the variance of the day before, and the gradient by its three parameters: what a
// calibration calls again and again. By hand the derivatives go along with the variance, forwards.
#include "common.hpp"

#include <array>

namespace {

using croton::array;

constexpr int days = 5000;
using results = std::array<array<double, 0>, 4>;  // the cost, and its derivatives

double cost_by_hand(const array<double, 1>& returns, const std::array<double, 3>& p) {
    double variance = 1e-4, cost = 0;
    for (int t = 0; t < days; ++t) {
        const double square = returns.data()[t] * returns.data()[t];
        variance = p[0] + p[1] * square + p[2] * variance;
        cost += std::log(variance) + square / variance;
    }
    return 0.5 * cost;
}

void gradient_by_hand(const array<double, 1>& returns, const std::array<double, 3>& p, results& r) {
    double variance = 1e-4, cost = 0;
    std::array<double, 3> by{}, sums{};
    for (int t = 0; t < days; ++t) {
        const double square = returns.data()[t] * returns.data()[t];
        by = {1 + p[2] * by[0], square + p[2] * by[1], variance + p[2] * by[2]};
        variance = p[0] + p[1] * square + p[2] * variance;
        const double part = square / variance, slope = (1 - part) / variance;
        cost += std::log(variance) + part;
        for (std::size_t i = 0; i < 3; ++i) sums[i] += slope * by[i];
    }
    *r[0].data() = 0.5 * cost;
    for (std::size_t i = 0; i < 3; ++i) *r[i + 1].data() = 0.5 * sums[i];
}

/// As a textbook writes it.
constexpr auto cost_of = [](auto returns, auto omega, auto alpha, auto beta) {
    using namespace croton;
    auto [last, parts] = scan([&](auto variance, auto x) {
        auto next = omega + alpha * sqr(x) + beta * variance;
        return step(next, log(next) + sqr(x) / next);
    }, 1e-4, returns);
    return 0.5 * sum(parts);
};

auto croton_cost() {
    using namespace croton;
    return function<cpu>("garch", [](vector<double> returns, scalar<double> omega, scalar<double> alpha, scalar<double> beta) { return cost_of(returns, omega, alpha, beta); });
}
auto croton_gradient() {
    using namespace croton;
    return function<cpu>("garch_gradient", [](vector<double> returns, scalar<double> omega, scalar<double> alpha, scalar<double> beta) {
        auto cost = cost_of(returns, omega, alpha, beta);
        auto [a, b, c] = grad(cost, omega, alpha, beta);
        return outputs(cost, a, b, c);
    });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<double, 1> returns(days);
    for (int t = 0; t < days; ++t) returns(t) = 0.02 * std::sin(0.7 * t);
    const std::array<double, 3> p{1e-6, 0.1, 0.85};
    const array<double, 0> omega = p[0], alpha = p[1], beta = p[2];
    results found, expected;
    auto cost = croton_cost();
    auto gradient = croton_gradient();
    const auto call = [&] { gradient.call_into(std::tie(found[0], found[1], found[2], found[3]), returns, omega, alpha, beta); };

    bench::table likely("garch: likelihood of 5,000 returns, float64");
    cost.call_into(found[0], returns, omega, alpha, beta);
    *expected[0].data() = cost_by_hand(returns, p);
    likely.check("croton, raw", std::abs(found[0]() / expected[0]() - 1), 1e-12);
    likely.row("croton", 0, [&] { cost.call_into(found[0], returns, omega, alpha, beta); });
    likely.row("raw: by hand", 0, [&] { *expected[0].data() = cost_by_hand(returns, p); });
    likely.measure();

    call();
    gradient_by_hand(returns, p, expected);
    bench::table slopes("garch: likelihood of 5,000 returns and its 3 derivatives, float64");
    for (std::size_t i = 0; i < 4; ++i)
        slopes.check(i == 0 ? "cost: croton, raw" : "derivative " + std::to_string(i) + ": croton, raw", std::abs(found[i]() / expected[i]() - 1), 1e-10);
    slopes.row("croton", 0, call);
    slopes.row("raw: derivatives by hand, forwards", 0, [&] { gradient_by_hand(returns, p, expected); });
    slopes.measure();
    return bench::table::finish();
}
