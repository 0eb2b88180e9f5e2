// SPDX-License-Identifier: MIT
// One turn of expectation and maximisation of the mixture of examples/13_gaussian_mixture.cpp, on 20,000 points: what belongs to which part is the gradient of a logsumexp over
// the parts, whose Cholesky factors a `vmap` walks along. By hand it is plain loops over the points.
#include "common.hpp"

#include <array>
#include <numbers>

namespace {

using croton::array;

constexpr int parts = 3, points = 20'000;

template <template <class, int> class Array> struct mixture {
    Array<double, 1> share;
    Array<double, 2> mean;
    Array<double, 3> covariance;
};
using fitted = mixture<croton::on<croton::cpu>::array>;

auto croton_turn() {
    using namespace croton;
    return function<cpu>("turn", [](tensor<double, points, 2> x, shared<mixture<symbol>> m) {
        auto all = vmap([&](auto share, auto mean, auto covariance) {
            auto l = cholesky(covariance);
            auto whitened = solve_triangular(l, transpose(x - mean), {.lower = true});
            return log(share) - sum(log(diagonal(l))) - std::log(2 * std::numbers::pi) - 0.5 * sum<0>(sqr(whitened));
        }, m.share, m.mean, m.covariance);
        auto likelihood = sum(logsumexp<0>(all));
        auto belongs = grad(likelihood, all);  // [part,point]
        auto weight = sum<1>(belongs);
        auto mean = dot(belongs, x) / newaxis<1>(weight);
        auto covariance = vmap([&](auto of_part, auto centre, auto total) {
            auto off = x - centre;
            return dot(transpose(off), newaxis<1>(of_part) * off) / total;
        }, belongs, mean, weight);
        return outputs(likelihood).updates(update(m.share, weight / points), update(m.mean, mean), update(m.covariance, covariance));
    });
}

void by_hand(const array<double, 2>& x, fitted& m, array<double, 0>& likelihood) {
    static array<double, 2> belongs(parts, points);
    std::array<std::array<double, 5>, parts> part;  // the factor's diagonal as reciprocals, what lies below it, the logarithm before the square, and the sum of weights
    for (int k = 0; k < parts; ++k) {
        const double a = std::sqrt(m.covariance(k, 0, 0)), b = m.covariance(k, 1, 0) / a, c = std::sqrt(m.covariance(k, 1, 1) - b * b);
        part[static_cast<std::size_t>(k)] = {1 / a, b, 1 / c, std::log(m.share(k)) - std::log(a) - std::log(c) - std::log(2 * std::numbers::pi), 0};
    }
    double sum = 0;
    for (int i = 0; i < points; ++i) {
        std::array<double, parts> odds;
        double most = -std::numeric_limits<double>::infinity(), all = 0;
        for (int k = 0; k < parts; ++k) {
            const auto& [a, b, c, before, weight] = part[static_cast<std::size_t>(k)];
            const double u = (x(i, 0) - m.mean(k, 0)) * a, v = (x(i, 1) - m.mean(k, 1) - b * u) * c;
            most = std::max(most, odds[static_cast<std::size_t>(k)] = before - 0.5 * (u * u + v * v));
        }
        for (double& each : odds) all += each = std::exp(each - most);
        sum += std::log(all) + most;
        for (int k = 0; k < parts; ++k) part[static_cast<std::size_t>(k)][4] += belongs(k, i) = odds[static_cast<std::size_t>(k)] / all;
    }
    *likelihood.data() = sum;
    for (int k = 0; k < parts; ++k) {
        const double weight = part[static_cast<std::size_t>(k)][4];
        double mean[2] = {}, covariance[3] = {};
        for (int i = 0; i < points; ++i)
            for (int axis = 0; axis < 2; ++axis) mean[axis] += belongs(k, i) * x(i, axis) / weight;
        for (int i = 0; i < points; ++i) {
            const double u = x(i, 0) - mean[0], v = x(i, 1) - mean[1], w = belongs(k, i) / weight;
            covariance[0] += w * u * u;
            covariance[1] += w * u * v;
            covariance[2] += w * v * v;
        }
        m.share(k) = weight / points;
        for (int axis = 0; axis < 2; ++axis) m.mean(k, axis) = mean[axis];
        m.covariance(k, 0, 0) = covariance[0];
        m.covariance(k, 0, 1) = m.covariance(k, 1, 0) = covariance[1];
        m.covariance(k, 1, 1) = covariance[2];
    }
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<double, 2> x(points, 2);
    for (int i = 0; i < points; ++i) {
        const double u = std::fmod((i + 1) * std::numbers::sqrt2, 1.0), v = std::fmod((i + 1) * std::numbers::sqrt3, 1.0);
        const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
        x(i, 0) = radius * std::cos(angle) + 3 * (i % 3 == 0);
        x(i, 1) = radius * std::sin(angle) + 4 * (i % 3 == 1);
    }
    fitted m{array<double, 1>{1.0 / 3, 1.0 / 3, 1.0 / 3}, array<double, 2>{{2, 0}, {0, 2}, {0, 0}}, array<double, 3>(parts, 2, 2)};
    for (int k = 0; k < parts; ++k)
        for (int axis = 0; axis < 2; ++axis) m.covariance(k, axis, axis) = 1;
    fitted expected = m;
    array<double, 0> likelihood, expected_likelihood;
    auto turn = croton_turn();
    bench::table table("Gaussian mixture: a turn of 3 parts, 20000 points of 2 numbers, float64");
    for (int i = 0; i < 10; ++i) {
        turn.call_into(std::tie(likelihood), x, m);
        by_hand(x, expected, expected_likelihood);
    }
    table.check("likelihood of turn 10: croton, raw", std::abs(likelihood() / expected_likelihood() - 1), 1e-12);
    table.check("covariances: croton, raw", bench::max_difference(m.covariance, expected.covariance), 1e-10);
    table.row("croton", 0, [&] { turn.call_into(std::tie(likelihood), x, m); });
    table.row("raw: plain loops", 0, [&] { by_hand(x, expected, expected_likelihood); });
    table.measure();
    return bench::table::finish();
}
