// SPDX-License-Identifier: MIT
// A small network of images as a whole: convolution, normalisation, relu, pooling, and a loss behind.
#include <doctest/doctest.h>

#include "ops/support.hpp"

using namespace croton;

TEST_CASE("the gradient of a network of images") {
    support::numbers random;
    const auto image = random.fill<double, 4>({3, 2, 9, 9}), kernel = random.fill<double, 4>({4, 2, 2, 2});
    const auto scale = random.fill<double, 1>({4}, 0.5, 2), offset = random.fill<double, 1>({4});
    const auto weight = random.fill<double, 2>({64, 3});
    const array<int, 1> label{2, 0, 1};
    const auto net = [](tensor<double, dynamic, 2, 9, 9> x, tensor<double, 4, 2, 2, 2> w, vector<double, 4> s, vector<double, 4> b, matrix<double, 64, 3> out,
                        vector<int> l) {
        auto h = max_pool2d(relu(batch_norm(conv2d(x, w), s, b)), {.kernel = 2});
        return mean(cross_entropy(dot(reshape<dynamic, 64>(h), out), l));
    };
    CHECK_NOTHROW(verify_grad({.relative = 1e-4, .absolute = 1e-6}, net, image, kernel, scale, offset, weight, label));
}
