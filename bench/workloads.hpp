// SPDX-License-Identifier: MIT
// W1 to W5 as functions of any device: what the GPU benches time, and what tests without a GPU say about their launches and kernels.
#ifndef CROTON_BENCH_WORKLOADS_HPP
#define CROTON_BENCH_WORKLOADS_HPP

#include <croton/croton.hpp>

namespace bench {

/// W1: `[n,n] x [n,n] + [n,n]`.
template <class Device> auto gemm_bias() {
    using croton::matrix;
    return croton::function<Device>("gemm_bias", [](matrix<float> m, matrix<float> x, matrix<float> b) { return dot(m, x) + b; });
}

/// W2.
template <class Device> auto exponential() {
    return croton::function<Device>("exp", [](croton::vector<float> x) { return exp(x); });
}

/// W3: a step of the logistic regression.
template <class Device> auto logistic() {
    using namespace croton;
    return function<Device>("logistic", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                           shared<vector<float, dim("feature")>> w, shared<scalar<float>> b) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
}

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct mlp {
    dense<A> hidden1, hidden2, output;
};

/// W4: a step of Adam on a network with two hidden layers.
template <class Device> auto network() {
    using namespace croton;
    return function<Device>("mlp_adam", [](matrix<float> x, vector<int> label, shared<mlp<symbol>> net, shared<adam_state<mlp<symbol>>> state) {
        auto hidden1 = relu(dot(x, net.hidden1.weight) + net.hidden1.bias);
        auto hidden2 = relu(dot(hidden1, net.hidden2.weight) + net.hidden2.bias);
        auto logits = dot(hidden2, net.output.weight) + net.output.bias;
        auto cost = mean(cross_entropy(logits, label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 1e-3}));
    });
}

/// W5: a chain of operators on seven vectors.
template <class Device> auto composite() {
    using namespace croton;
    using operand = vector<float, dim("n")>;
    return function<Device>("composite", [](operand a, operand b, operand c, operand d, operand e, operand f, operand g) {
        return a * b - (c * d) / sqrt(c + e + f + g * g);
    });
}

}  // namespace bench

#endif
