// SPDX-License-Identifier: MIT
// Black-Scholes: the price of a million European calls and its five greeks. croton takes the greeks out of the price by `grad`; by hand, and with
// Eigen, they are the closed forms of the textbook.
#include "common.hpp"

#if BENCH_HAS_EIGEN
#include <unsupported/Eigen/SpecialFunctions>
#endif

namespace {

using croton::array;

constexpr std::int64_t n = 1'000'000;
constexpr float root_half = 0.70710678f, density = 0.39894228f;

struct market {
    array<float, 1> spot{array<float, 1>(n)}, strike{spot}, expiry{spot}, rate{spot}, volatility{spot};
};

struct results {
    array<float, 1> price{array<float, 1>(n)}, delta{price}, gamma{price}, vega{price}, theta{price}, rho{price};
};

auto croton_greeks() {
    using namespace croton;
    using options = vector<float, dim("option")>;
    return function<cpu>("greeks", [](options spot, options strike, options expiry, options rate, options volatility) {
        auto spread = volatility * sqrt(expiry);
        auto d1 = (log(spot / strike) + (rate + sqr(volatility) / 2) * expiry) / spread;
        auto price = spot * ndtr(d1) - strike * exp(-rate * expiry) * ndtr(d1 - spread);
        auto [delta, vega, decay, rho] = grad(sum(price), spot, volatility, expiry, rate);
        return outputs(price, delta, grad(sum(delta), spot), vega, -decay, rho);
    });
}

void by_hand(const market& m, results& r) {
    const float *spot = m.spot.data(), *strike = m.strike.data(), *expiry = m.expiry.data(), *rate = m.rate.data(), *volatility = m.volatility.data();
    float *price = r.price.data(), *delta = r.delta.data(), *gamma = r.gamma.data(), *vega = r.vega.data(), *theta = r.theta.data(), *rho = r.rho.data();
    bench::parallel_batches(n, [=](auto simd, std::int64_t i) {
        using std::erf, std::exp, std::log, std::sqrt, xsimd::erf, xsimd::exp, xsimd::log, xsimd::sqrt;
        const auto s = simd.load(spot + i), k = simd.load(strike + i), t = simd.load(expiry + i), v = simd.load(volatility + i);
        const auto rt = simd.load(rate + i), root = sqrt(t), spread = v * root;
        const auto d1 = (log(s / k) + (rt + 0.5f * v * v) * t) / spread, d2 = d1 - spread;
        const auto n1 = 0.5f + 0.5f * erf(root_half * d1), n2 = 0.5f + 0.5f * erf(root_half * d2);
        const auto now = k * exp(-rt * t) * n2, slope = s * (density * exp(-0.5f * d1 * d1));
        simd.store(price + i, s * n1 - now);
        simd.store(delta + i, n1);
        simd.store(gamma + i, slope / (s * s * spread));
        simd.store(vega + i, slope * root);
        simd.store(theta + i, -0.5f * slope * v / root - rt * now);
        simd.store(rho + i, t * now);
    });
}

#if BENCH_HAS_EIGEN
void with_eigen(const market& m, results& r) {
    const auto s = bench::eigen(m.spot).array(), k = bench::eigen(m.strike).array(), t = bench::eigen(m.expiry).array(),
               rt = bench::eigen(m.rate).array(), v = bench::eigen(m.volatility).array();
    const Eigen::ArrayXf root = t.sqrt(), d1 = ((s / k).log() + (rt + 0.5f * v * v) * t) / (v * root);
    const Eigen::ArrayXf now = k * (-rt * t).exp() * (0.5f + 0.5f * (root_half * (d1 - v * root)).erf()), slope = s * (density * (-0.5f * d1 * d1).exp());
    auto delta = bench::eigen(r.delta).array();
    delta = 0.5f + 0.5f * (root_half * d1).erf();
    bench::eigen(r.price).array() = s * delta - now;
    bench::eigen(r.gamma).array() = slope / (s * s * v * root);
    bench::eigen(r.vega).array() = slope * root;
    bench::eigen(r.theta).array() = -0.5f * slope * v / root - rt * now;
    bench::eigen(r.rho).array() = t * now;
}
#endif

/// The largest difference of any result, as a part of the largest that this result has.
double difference(results& a, results& b) {
    double worst = 0;
    for (auto member : {&results::price, &results::delta, &results::gamma, &results::vega, &results::theta, &results::rho}) {
        double found = 0, scale = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            const double x = static_cast<double>((a.*member)(i)), y = static_cast<double>((b.*member)(i));
            found = std::isfinite(x) ? std::max(found, std::abs(x - y)) : std::numeric_limits<double>::infinity();
            scale = std::max(scale, std::abs(y));
        }
        worst = std::max(worst, found / scale);
    }
    return worst;
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    market m;
    bench::fill(m.spot, 50, 150, 1);
    bench::fill(m.strike, 50, 150, 2);
    bench::fill(m.expiry, 0.1f, 2, 3);
    bench::fill(m.rate, 0, 0.1f, 4);
    bench::fill(m.volatility, 0.1f, 0.5f, 5);
    results found, expected;
    auto greeks = croton_greeks();
    const auto call = [&] {
        greeks.call_into(std::tie(found.price, found.delta, found.gamma, found.vega, found.theta, found.rho), m.spot, m.strike, m.expiry, m.rate, m.volatility);
    };

    bench::table table("Black-Scholes: price and 5 greeks of 1e6 options, float32");
    by_hand(m, expected);
    call();
    table.check("croton, raw", difference(found, expected), 1e-5);
    table.row("croton", 0, call);
    table.row("raw: xsimd loop, closed forms", 0, [&] { by_hand(m, expected); });
#if BENCH_HAS_EIGEN
    results of_eigen;
    with_eigen(m, of_eigen);
    table.check("Eigen, raw", difference(of_eigen, expected), 1e-5);
    table.row("Eigen, closed forms (one thread)", 0, [&] { with_eigen(m, of_eigen); });
#endif
    table.measure();
    return table.finish();
}
