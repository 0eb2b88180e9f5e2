// SPDX-License-Identifier: MIT
// The network, how it starts, and the two functions that are compiled from it.
#ifndef MNIST_NETWORK_HPP
#define MNIST_NETWORK_HPP

#include "dataset.hpp"

#include <croton/croton.hpp>

#include <cstdint>

namespace mnist {

inline constexpr std::int64_t hidden = 1000;

/// The fields of a layer. `A` is the kind of array: a symbol while a function is traced, memory when it is called.
template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};

/// A model is a struct of arrays, or of such structs: functions, optimisers, save and load take it whole.
template <template <class, int> class A> struct mlp {
    dense<A> hidden1, hidden2, output;
};

using network = mlp<croton::on<croton::cpu>::array>;
using optimiser = croton::adam_state<network>;

/// Weights as He et al. (2015) draw them for relu, uniform with variance 2 / inputs; biases 0.
inline network random_network(std::uint64_t seed) {
    const auto layer = [](std::int64_t inputs, std::int64_t outputs) {
        return dense<croton::on<croton::cpu>::array>{croton::array<float, 2>(inputs, outputs), croton::array<float, 1>(outputs)};
    };
    network net{layer(pixels, hidden), layer(hidden, hidden), layer(hidden, classes)};
    croton::random::initialise(net, seed, croton::random::he_uniform);
    return net;
}

/// The scores of the classes: [n,784] -> [n,10].
template <class X, class Net> constexpr auto logits(const X& x, const Net& net) {
    auto first = relu(dot(x, net.hidden1.weight) + net.hidden1.bias);
    auto second = relu(dot(first, net.hidden2.weight) + net.hidden2.bias);
    return dot(second, net.output.weight) + net.output.bias;
}

/// One step of Adam on a batch: returns the cost, updates the network and the state of the optimiser in place. The rate
/// is an argument, so that it may change from call to call.
inline auto make_train_step() {
    using namespace croton;
    return function<cpu>("train", [](matrix<float> image, vector<int> label, scalar<float> rate,
                                     shared<mlp<symbol>> net, shared<adam_state<mlp<symbol>>> state) {
        auto cost = mean(cross_entropy(logits(image, net), label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = rate}));
    });
}

/// How many images of a batch get their own label as the class of the highest score.
inline auto make_count_right() {
    using namespace croton;
    return function<cpu>("count_right", [](matrix<float> image, vector<int> label, mlp<symbol> net) {
        return sum(argmax<1>(logits(image, net)) == cast<std::int64_t>(label));
    });
}

}  // namespace mnist

#endif
