// SPDX-License-Identifier: MIT
// Logistic regression as the textbook writes it: the gradient and the stable, fused form are the library's job.
#include <croton/croton.hpp>

#include <cstdint>
#include <cstdio>
#include <tuple>

using namespace croton;

namespace {

constexpr int samples = 400, features = 784;

template <template <class, int> class Array> struct plane_of {
    Array<float, 1> weight;
    Array<float, 0> bias;
};

}  // namespace

int main() {
    auto train = function<cpu>("train", [](matrix<float, dim("sample"), dim("feature")> x,
                                           vector<float, dim("sample")> y, shared<vector<float, dim("feature")>> w,
                                           shared<scalar<float>> b) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, cost).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
    auto predict = function<cpu>("predict", [](matrix<float> x, vector<float> w, scalar<float> b) {
        return 1 / (1 + exp(-dot(x, w) - b)) > 0.5;
    });

    // Each label tells on which side of a plane the sample lies; one label in ten is wrong.
    array<float, 1> plane(features);
    array<float, 2> x(samples, features);
    array<float, 1> y(samples);
    random::uniform(plane, 1, -1, 1);
    random::uniform(x, 2, -1, 1);
    for (int i = 0; i < samples; ++i) {
        double side = 0;
        for (int j = 0; j < features; ++j) side += static_cast<double>(plane(j)) * static_cast<double>(x(i, j));
        y(i) = (side > 0) != (i % 10 == 0) ? 1.0f : 0.0f;
    }

    plane_of<on<cpu>::array> fitted{array<float, 1>(features), {}};
    array<bool, 1> prediction(samples);
    array<float, 0> cost;
    std::puts(" step    cost");
    constexpr int steps = 1000;
    for (int step = 0; step <= steps; ++step) {
        // Writes into arrays that are there, and updates both in place: nothing is allocated.
        train.call_into(std::tie(prediction, cost), x, y, fitted.weight, fitted.bias);
        if (step == 0 || step == 10 || step == 100 || step == steps)
            std::printf("%5d  %.4f\n", step, static_cast<double>(cost));
    }

    const auto right = [&](const plane_of<on<cpu>::array>& by) {
        const array<bool, 1> told = predict(x, by.weight, by.bias);
        return static_cast<int>(array<std::int64_t, 0>(sum(equal(told, y > 0.5f)))());
    };
    std::printf("%d of %d samples are told right\n", right(fitted), samples);
    save(fitted, "logistic.npz");
    plane_of<on<cpu>::array> loaded;
    load(loaded, "logistic.npz");
    std::printf("saved to logistic.npz; loaded again, it tells %d right\n", right(loaded));
}
