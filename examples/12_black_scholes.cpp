// SPDX-License-Identifier: MIT
// What a million European calls are worth by the formula of Black and Scholes, and all their greeks: the derivatives of that price, which nobody writes
// down here. They are compared with the closed forms of the textbook.
#include <croton/croton.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdint>
#include <numbers>

using namespace croton;

namespace {

constexpr std::int64_t count = 1'000'000;

template <template <class, int> class Array> struct options {
    Array<double, 1> spot, strike, expiry, rate, volatility;
};
using market = options<on<cpu>::array>;

constexpr auto price_of = [](const auto& o) {
    auto spread = o.volatility * sqrt(o.expiry);
    auto d1 = (log(o.spot / o.strike) + (o.rate + sqr(o.volatility) / 2) * o.expiry) / spread;
    return o.spot * ndtr(d1) - o.strike * exp(-o.rate * o.expiry) * ndtr(d1 - spread);
};

struct greeks {
    double price, delta, gamma, vega, theta, rho;
};

greeks closed_forms(double spot, double strike, double expiry, double rate, double volatility) {
    const auto normal = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
    const double root = std::sqrt(expiry), spread = volatility * root;
    const double d1 = (std::log(spot / strike) + (rate + volatility * volatility / 2) * expiry) / spread;
    const double density = std::exp(-d1 * d1 / 2) / std::sqrt(2 * std::numbers::pi);
    const double owed = strike * std::exp(-rate * expiry) * normal(d1 - spread);
    return {spot * normal(d1) - owed,
            normal(d1),
            density / (spot * spread),
            spot * density * root,
            -spot * density * volatility / (2 * root) - rate * owed,
            expiry * owed};
}

}  // namespace

int main() {
    // One loop over the options, whatever is asked of them: a price of one depends on nothing of another, so the gradient of their sum is that of each.
    auto value = function<cpu>("value", [](options<symbol> o) {
        auto price = price_of(o);
        auto slope = grad(sum(price), o);
        auto gamma = grad(sum(slope.spot), o.spot);
        return outputs(price, slope.spot, gamma, slope.volatility, -slope.expiry, slope.rate);
    });

    const auto between = [](double low, double high, std::uint64_t seed) {
        array<double, 1> x(count);
        random::uniform(x, seed, low, high);
        return x;
    };
    market m{between(50, 150, 1), between(50, 150, 2), between(0.1, 2, 3), between(0, 0.1, 4), between(0.1, 0.5, 5)};
    m.spot(0) = m.strike(0) = 100, m.expiry(0) = 1, m.rate(0) = 0.05, m.volatility(0) = 0.2;

    const auto [price, delta, gamma, vega, theta, rho] = value(m);
    std::puts("a call at 100 on what costs 100, for a year at 5 %, volatility 20 %:");
    std::printf("price %.4f  delta %.4f  gamma %.5f  vega %.4f  theta %.4f  rho %.4f\n\n", price(0), delta(0), gamma(0), vega(0), theta(0), rho(0));

    double worst[6] = {};
    for (std::int64_t i = 0; i < count; ++i) {
        const greeks e = closed_forms(m.spot(i), m.strike(i), m.expiry(i), m.rate(i), m.volatility(i));
        const double differences[] = {price(i) - e.price, delta(i) - e.delta, gamma(i) - e.gamma, vega(i) - e.vega, theta(i) - e.theta, rho(i) - e.rho};
        for (int k = 0; k < 6; ++k) worst[k] = std::max(worst[k], std::abs(differences[k]));
    }
    const char* const names[] = {"price", "delta", "gamma", "vega", "theta", "rho"};
    std::printf("%lld options against the closed forms, absolute differences:\n", static_cast<long long>(count));
    for (int k = 0; k < 6; ++k) std::printf("%-5s  %s\n", names[k], worst[k] < 1e-11 ? "below 1e-11" : "WRONG");
}
