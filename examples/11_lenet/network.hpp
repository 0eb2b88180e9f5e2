// SPDX-License-Identifier: MIT
// LeNet-5 with dropout (LeCun et al., Gradient-based learning applied to document recognition, 1998; here with relu and max pooling), how it
// starts, and the two functions that are compiled from it.
#ifndef LENET_NETWORK_HPP
#define LENET_NETWORK_HPP

#include <croton/croton.hpp>

#include <cstdint>

namespace lenet {

template <template <class, int> class A> struct convolution {
    A<float, 4> kernel;  // [out,in,height,width]
    A<float, 1> bias;
};
template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct model {
    convolution<A> conv1, conv2;
    dense<A> hidden1, hidden2, output;
};

using network = model<croton::on<croton::cpu>::array>;
using optimiser = croton::adam_state<network>;
using generator = croton::random_state<croton::on<croton::cpu>::array>;

/// Weights as He et al. (2015) draw them for relu, those of the scores as Glorot and Bengio (2010) do; biases 0.
inline network random_network(std::uint64_t seed) {
    using croton::array;
    network net{{array<float, 4>(6, 1, 5, 5), array<float, 1>(6)},
                {array<float, 4>(16, 6, 5, 5), array<float, 1>(16)},
                {array<float, 2>(400, 120), array<float, 1>(120)},
                {array<float, 2>(120, 84), array<float, 1>(84)},
                {array<float, 2>(84, 10), array<float, 1>(10)}};
    croton::random::initialise(net, seed, croton::random::he_normal);
    croton::random::glorot_normal(net.output.weight, seed);
    return net;
}

/// The scores of the classes: [n,784] -> [n,10]. `thin` is done to what the dense layers read.
template <class X, class Net, class Thin> constexpr auto logits(const X& image, const Net& net, const Thin& thin) {
    using namespace croton;
    const auto maps = [](const auto& x, const auto& layer, int padding) {
        return max_pool2d(relu(conv2d(x, layer.kernel, {.padding = padding}) + newaxis<1, 2>(layer.bias)), {.kernel = 2});
    };
    const auto scores = [](const auto& x, const auto& layer) { return dot(x, layer.weight) + layer.bias; };
    auto first = maps(reshape<dynamic, 1, 28, 28>(image), net.conv1, 2);  // [n,6,14,14]
    auto second = maps(first, net.conv2, 0);                              // [n,16,5,5]
    auto third = relu(scores(thin(reshape<dynamic, 400>(second)), net.hidden1));
    return scores(thin(relu(scores(thin(third), net.hidden2))), net.output);
}

/// One step of Adam on a batch: returns the cost, updates the network and the state of the optimiser in place. Every call draws anew what drops out.
inline auto make_train_step() {
    using namespace croton;
    return function<cpu>("train", [](matrix<float> image, vector<int> label, scalar<float> rate, shared<random_state<symbol>> rng,
                                     shared<model<symbol>> net, shared<adam_state<model<symbol>>> state) {
        auto cost = mean(cross_entropy(logits(image, net, [&](const auto& x) { return dropout(x, 0.2, rng); }), label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = rate}));
    });
}

/// How many images of a batch get their own label as the class of the highest score; nothing drops out.
inline auto make_count_right() {
    using namespace croton;
    return function<cpu>("count_right", [](matrix<float> image, vector<int> label, model<symbol> net) {
        return sum(argmax<1>(logits(image, net, [](const auto& x) { return x; })) == cast<std::int64_t>(label));
    });
}

}  // namespace lenet

#endif
