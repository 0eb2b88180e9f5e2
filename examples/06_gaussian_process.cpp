// SPDX-License-Identifier: MIT
// Regression by a Gaussian process: how far points know of each other, how much the function varies and how noisy it is are learned by
// the gradient of the marginal likelihood. What is saved is the process: what was learned, and the samples that it tells the rest by.
#include <croton/croton.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>

using namespace croton;

namespace {

// The logarithms of what must be positive.
template <template <class, int> class Array> struct parameters {
    Array<double, 0> length, amplitude, noise;
};

template <template <class, int> class Array> struct process {
    parameters<Array> learned;
    Array<double, 1> x, y;
};

// The covariance of the function at the points x with that at the points z.
constexpr auto covariance = [](const auto& x, const auto& z, const auto& p) {
    return exp(2 * p.amplitude - 0.5 * sqr((newaxis<1>(x) - newaxis<0>(z)) / exp(p.length)));
};

// The factor of the covariance of what was measured.
constexpr auto factor = [](const auto& x, const auto& p) { return cholesky(covariance(x, x, p) + exp(2 * p.noise) * eye<dim("sample")>(x)); };

}  // namespace

int main() {
    using samples = vector<double, dim("sample")>;
    auto train = function<cpu>("train", [](samples x, samples y, shared<parameters<symbol>> p, shared<adam_state<parameters<symbol>>> state) {
        auto l = factor(x, p);
        auto whitened = solve_triangular(l, y, {.lower = true});
        // Minus the logarithm of the likelihood, up to a constant.
        auto cost = 0.5 * sum(sqr(whitened)) + sum(log(diagonal(l)));
        return outputs(cost).updates(adam(cost, p, state, {.learning_rate = 0.05}));
    });
    auto predict = function<cpu>("predict", [](samples x, samples y, vector<double> z, parameters<symbol> p) {
        auto l = factor(x, p);
        auto with_samples = covariance(x, z, p);
        auto weights = solve_triangular(l, solve_triangular(l, y, {.lower = true}), {.lower = true, .transposed = true});
        auto explained = solve_triangular(l, with_samples, {.lower = true});
        return outputs(dot(transpose(with_samples), weights), sqrt(exp(2 * p.amplitude) - sum<0>(sqr(explained))));
    });

    constexpr int count = 60;
    constexpr double noise = 0.1;
    process<on<cpu>::array> known{{0.0, 0.0, 0.0}, array<double, 1>(count), array<double, 1>(count)};
    auto& [p, x, y] = known;
    random::normal(y, 1, 0, noise);
    for (int i = 0; i < count; ++i) {
        x(i) = 6.0 * i / (count - 1);
        y(i) += std::sin(2 * x(i));
    }

    auto state = adam_state<parameters<on<cpu>::array>>::zeros_like(p);
    array<double, 0> cost;
    std::puts(" step     cost  length  amplitude  noise");
    constexpr int steps = 300;
    for (int step = 0; step <= steps; ++step) {
        const double length = std::exp(p.length()), amplitude = std::exp(p.amplitude()), spread = std::exp(p.noise());
        train.call_into(std::tie(cost), x, y, p, state);
        if (step % 100 == 0) std::printf("%5d %8.2f  %6.2f  %9.2f  %5.2f\n", step, cost(), length, amplitude, spread);
    }

    const array<double, 1> z{0.5, 1.75, 3.2, 5.55, 9};
    const auto [mean, deviation] = predict(x, y, z, p);
    std::puts("\n    x   sin(2x)   learned");
    for (int i = 0; i < z.size(); ++i) std::printf("%5.2f  %7.2f   %7.2f +- %.2f\n", z(i), std::sin(2 * z(i)), mean(i), deviation(i));

    save(known, "process.npz");
    process<on<cpu>::array> loaded;
    load(loaded, "process.npz");
    const auto [same_mean, same_deviation] = predict(loaded.x, loaded.y, z, loaded.learned);
    std::printf("\nsaved to process.npz; loaded again, it tells %s\n", same_mean == mean && same_deviation == deviation ? "the same" : "ANOTHER STORY");
}
