// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

const auto t = support::numbers(4).fill<double, 3>({2, 3, 5});
const auto m = support::numbers(1).fill<double, 2>({4, 3});
const auto y = support::numbers(2).fill<double, 2>({4, 3}, 0, 1);

}  // namespace

TEST_CASE("softmax and its family") {
    CHECK_NOTHROW(verify_grad(
        [](tensor<double, dynamic, dynamic, dynamic> x) {
            return std::tuple(softmax<0>(x), softmax<1, 2>(x), log_softmax<1>(x), log_softmax(x * 2) * x);
        },
        placed<double, 3>(t, layout::transposed).get()));
}

TEST_CASE("losses") {
    CHECK_NOTHROW(verify_grad([](matrix<double> x, vector<int> label) { return cross_entropy(x, label); }, m,
                              array<int, 1>{0, 2, 1, 1}));
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> x, matrix<double> target) {
            return std::tuple(binary_cross_entropy(sigmoid(x), target), binary_cross_entropy_with_logits(x, target),
                              binary_cross_entropy(0.25 + 0.5 * sqr(sigmoid(x)), target));
        },
        m, y));
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> x, matrix<double> target) { return mean(-sum<1>(target * log(softmax(x)))); }, m, y));
}
