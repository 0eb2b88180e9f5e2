// SPDX-License-Identifier: MIT
// Updates of a deep network: however late their gradients are scaled, each array of the model is one pass. The mask of the attention lies along other axes
// than what reads it: the loops of both are two wherever it is computed.
#include <doctest/doctest.h>

#include <array>

#include "plan/steps.hpp"

using namespace croton;
using plan_tests::kernels;

namespace {

constexpr int depth = 3;

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct network {
    std::array<dense<A>, depth> deep;
};
using network_arrays = network<on<cpu>::array>;

constexpr auto cost_of = [](const auto& x, const auto& net) {
    auto h = x;
    for (const auto& layer : net.deep) {
        auto told = layer_norm(h);
        h = h + gelu(matmul(attention(told, told, told, {.causal = true}), layer.weight) + layer.bias);
    }
    return mean(sqr(h));
};

inline constexpr auto gradient = [](tensor<float, dynamic, dynamic, dynamic> x, network<symbol> net) {
    auto cost = cost_of(x, net);
    return std::tuple(cost, global_norm(grad(cost, net)));
};
inline constexpr auto train = [](tensor<float, dynamic, dynamic, dynamic> x, scalar<float> rate, shared<network<symbol>> net, shared<adam_state<network<symbol>>> state) {
    auto cost = cost_of(x, net);
    return outputs(cost).updates(adamw(clip_by_global_norm(grad(cost, net), 0.5), net, state, {.learning_rate = rate}));
};

}  // namespace

TEST_CASE("scaled gradients, moments and weights are one pass for each array") {
    const int arrays = 2 * depth, numbers = 2;
    CHECK(kernels(train) <= kernels(gradient) + arrays + numbers);
    CHECK(kernels(train) >= arrays);
}
TEST_CASE("which gives what the reference gives") {
    const auto start = [] {
        network_arrays net;
        std::uint64_t seed = 1;
        for (auto& layer : net.deep) {
            layer = {array<float, 2>(6, 6), array<float, 1>(6)};
            random::glorot_uniform(layer.weight, seed++);
        }
        return net;
    };
    array<float, 3> x(2, 7, 6);
    random::normal(x, 9);
    auto fast = function<cpu>(train);
    auto plain = function<reference>(train);
    auto a = start(), b = start();
    auto of_a = adam_state<network_arrays>::zeros_like(a), of_b = adam_state<network_arrays>::zeros_like(b);
    for (int i = 0; i < 3; ++i) {
        const float cost = fast(x, 0.01f, a, of_a), expected = plain(x, 0.01f, b, of_b);
        CHECK(cost == doctest::Approx(expected).epsilon(1e-5));
    }
    for (int k = 0; k < depth; ++k)
        for (int i = 0; i < 6; ++i) CHECK(a.deep[static_cast<unsigned>(k)].weight(i, i) == doctest::Approx(b.deep[static_cast<unsigned>(k)].weight(i, i)).epsilon(1e-4));
}
