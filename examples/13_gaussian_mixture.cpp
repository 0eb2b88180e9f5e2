// SPDX-License-Identifier: MIT
// A mixture of normal distributions fitted by expectation and maximisation. How likely a point is under the whole mixture is a logsumexp over its parts,
// and how much of the point belongs to each part is the derivative of that. 13_gaussian_mixture.txt is what NumPy says (tests/examples/gaussian_mixture.py).
#include <croton/croton.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <tuple>

using namespace croton;

namespace {

constexpr int parts = 3, axes = 2, points = 600;
constexpr double log_two_pi = 1.8378770664093453;

template <template <class, int> class Array> struct mixture {
    Array<double, 1> share;       // [part]
    Array<double, 2> mean;        // [part,axis]
    Array<double, 3> covariance;  // [part,axis,axis]
};
using fitted = mixture<on<cpu>::array>;

// The logarithm of the density of each point in each part, times its share, as [part,point].
constexpr auto joint = [](const auto& x, const auto& m) {
    return vmap([&](auto share, auto mean, auto covariance) {
        auto l = cholesky(covariance);
        auto whitened = solve_triangular(l, transpose(x - mean), {.lower = true});
        return log(share) - sum(log(diagonal(l))) - log_two_pi * axes / 2 - 0.5 * sum<0>(sqr(whitened));
    }, m.share, m.mean, m.covariance);
};

// Three clouds without random numbers, so that any program can have the same: the multiples of irrational numbers are evenly spread over [0, 1), and
// Box and Muller make normal numbers of two such.
array<double, 2> clouds() {
    constexpr double centres[parts][axes] = {{0, 0}, {2, 1}, {-1, 2}}, stretch[parts][axes] = {{1, 0.5}, {0.5, 1}, {0.7, 0.7}};
    array<double, 2> x(points, axes);
    for (int i = 0; i < points; ++i) {
        const double u = std::fmod((i + 1) * std::numbers::sqrt2, 1.0), v = std::fmod((i + 1) * std::numbers::sqrt3, 1.0);
        const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
        const int part = i % 6 < 3 ? 0 : i % 6 < 5 ? 1 : 2;
        x(i, 0) = centres[part][0] + stretch[part][0] * radius * std::cos(angle);
        x(i, 1) = centres[part][1] + stretch[part][1] * radius * std::sin(angle) + 0.5 * (x(i, 0) - centres[part][0]);
    }
    return x;
}

}  // namespace

int main() {
    auto improve = function<cpu>("improve", [](matrix<double, dim("point"), axes> x, shared<mixture<symbol>> m) {
        auto all = joint(x, m);
        auto likelihood = sum(logsumexp<0>(all));
        auto belongs = grad(likelihood, all);  // [part,point]
        auto weight = sum<1>(belongs);
        auto mean = dot(belongs, x) / newaxis<1>(weight);
        auto covariance = vmap([&](auto of_part, auto centre, auto total) {
            auto off = x - centre;
            return dot(transpose(off), newaxis<1>(of_part) * off) / total;
        }, belongs, mean, weight);
        return outputs(likelihood).updates(update(m.share, weight / cast<double>(x.extent(0))), update(m.mean, mean), update(m.covariance, covariance));
    });
    auto likelihood = function<cpu>("likelihood", [](matrix<double> x, mixture<symbol> m) { return sum(logsumexp<0>(joint(x, m))); });

    const array<double, 2> x = clouds();
    fitted m{array<double, 1>{1.0 / 3, 1.0 / 3, 1.0 / 3}, array<double, 2>{{0, 1}, {1, 0}, {-1, 1}}, array<double, 3>(parts, axes, axes)};
    for (int k = 0; k < parts; ++k)
        for (int i = 0; i < axes; ++i) m.covariance(k, i, i) = 1;

    array<double, 0> logarithm;
    std::puts("turn  logarithm of the likelihood");
    for (int turn = 0; turn <= 80; ++turn) {
        improve.call_into(std::tie(logarithm), x, m);
        if (turn % 20 == 0) std::printf("%4d  %.4f\n", turn, logarithm());
    }
    std::puts("\nshare    mean             covariance");
    for (int k = 0; k < parts; ++k)
        std::printf("%.4f  %7.4f %7.4f  %7.4f %7.4f %7.4f\n", m.share(k), m.mean(k, 0), m.mean(k, 1), m.covariance(k, 0, 0), m.covariance(k, 0, 1),
                    m.covariance(k, 1, 1));

    const double found = likelihood(x, m);
    save(m, "mixture.npz");
    fitted again{array<double, 1>(parts), array<double, 2>(parts, axes), array<double, 3>(parts, axes, axes)};
    load(again, "mixture.npz");
    std::printf("\nsaved to mixture.npz; loaded again, the likelihood is %s\n", double(likelihood(x, again)) == found ? "the same" : "ANOTHER");
}
