// SPDX-License-Identifier: MIT
// A variational autoencoder of digits (Kingma and Welling, Auto-encoding variational Bayes, 2014), how it starts, and the functions that are compiled
// from it.
#ifndef VAE_NETWORK_HPP
#define VAE_NETWORK_HPP

#include <croton/croton.hpp>

#include <cstdint>

namespace vae {

inline constexpr int pixels = 28 * 28, hidden = 400, latent = 20, grid_rows = 8, grid_columns = 16;

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct model {
    dense<A> seen, code, imagined, image;  // the first two make a distribution of codes of an image, the others an image of a code
};

using network = model<croton::on<croton::cpu>::array>;
using optimiser = croton::adam_state<network>;
using generator = croton::random_state<croton::on<croton::cpu>::array>;

inline network random_network(std::uint64_t seed) {
    const auto layer = [](std::int64_t inputs, std::int64_t outputs) {
        return dense<croton::on<croton::cpu>::array>{croton::array<float, 2>(inputs, outputs), croton::array<float, 1>(outputs)};
    };
    network net{layer(pixels, hidden), layer(hidden, 2 * latent), layer(latent, hidden), layer(hidden, pixels)};
    croton::random::initialise(net, seed, croton::random::glorot_uniform);
    return net;
}

/// The logits of the pixels of codes: [n,latent] -> [n,784].
constexpr auto decode = [](const auto& code, const auto& net) {
    return dot(relu(dot(code, net.imagined.weight) + net.imagined.bias), net.image.weight) + net.image.bias;
};

/// The evidence lower bound of the log-probability of each image in nats, the pixels as probabilities of ink: [n,784] -> [n]. The code is drawn as
/// mean + deviation * noise, through which the gradient goes.
constexpr auto elbo = [](const auto& image, const auto& net, const auto& rng) {
    auto seen = relu(dot(image, net.seen.weight) + net.seen.bias);
    auto [mean, log_variance] = croton::split<-1, 2>(dot(seen, net.code.weight) + net.code.bias);
    auto code = mean + exp(0.5 * log_variance) * normal_like(mean, rng);
    auto likelihood = -sum<-1>(binary_cross_entropy_with_logits(decode(code, net), image));
    auto divergence = 0.5 * sum<-1>(sqr(mean) + exp(log_variance) - log_variance - 1);
    return likelihood - divergence;
};

/// One step of Adam on a batch: returns the mean bound, updates the network and the state of the optimiser in place.
inline auto make_train_step() {
    using namespace croton;
    return function<cpu>("train", [](matrix<float> image, scalar<float> rate, shared<random_state<symbol>> rng, shared<model<symbol>> net,
                                     shared<adam_state<model<symbol>>> state) {
        auto bound = mean(elbo(image, net, rng));
        return outputs(bound).updates(adam(-bound, net, state, {.learning_rate = rate}));
    });
}

/// The sum of the bounds of a batch.
inline auto make_bound() {
    using namespace croton;
    return function<cpu>("bound", [](matrix<float> image, shared<random_state<symbol>> rng, model<symbol> net) { return sum(elbo(image, net, rng)); });
}

/// Images of codes that are drawn as they are expected to lie, side by side in one picture from 0 to 1.
inline auto make_imagine() {
    using namespace croton;
    return function<cpu>("imagine", [](shared<random_state<symbol>> rng, model<symbol> net) {
        auto images = sigmoid(decode(normal<float, grid_rows * grid_columns, latent>(rng), net));
        return reshape<grid_rows * 28, grid_columns * 28>(transpose<0, 2, 1, 3>(reshape<grid_rows, grid_columns, 28, 28>(images)));
    });
}

}  // namespace vae

#endif
