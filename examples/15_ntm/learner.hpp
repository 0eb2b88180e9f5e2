// SPDX-License-Identifier: MIT
// What the program does with a network, whichever way its heads turn. Each way is a source file of its own, which the compiler sees for itself.
#ifndef NTM_LEARNER_HPP
#define NTM_LEARNER_HPP

#include "network.hpp"

#include <cstdint>
#include <memory>
#include <numbers>
#include <tuple>

namespace ntm {

using croton::array;

inline constexpr int batch = 4;

struct learner {
    network net;
    croton::rmsprop_momentum_state<network> state;

    virtual ~learner() = default;
    /// One step: the bits that the answers to a sequence cost, on average.
    virtual float train(const array<float, 3>& x, const array<float, 3>& wanted, float rate) = 0;
    /// The logits of all turns, and where both heads were.
    virtual std::tuple<array<float, 3>, array<float, 3>, array<float, 3>> watch(const array<float, 3>& x) const = 0;
};

std::unique_ptr<learner> learner_by_neighbours(std::uint64_t seed);
std::unique_ptr<learner> learner_round_the_circle(std::uint64_t seed);

template <class Shift> class learner_of : public learner {
    static auto make_train() {
        using namespace croton;
        return function<cpu>("train", [](tensor<float, dynamic, batch, inputs> x, tensor<float, dynamic, batch, bits> wanted, scalar<float> rate,
                                         shared<machine<symbol>> net, shared<rmsprop_momentum_state<machine<symbol>>> state) {
            auto cost = sum(binary_cross_entropy_with_logits(answers(std::get<0>(run<batch, Shift>(net, x))), wanted));
            auto gradient = tree_map([](auto g) { return clip(g, -10, 10); }, grad(cost, net));
            return outputs(cost / (batch * std::numbers::ln2))
                .updates(rmsprop(gradient, net, state, {.learning_rate = rate, .decay = 0.95, .epsilon = 1e-4, .momentum = 0.9, .epsilon_in_root = true}));
        });
    }
    static auto make_watch() {
        using namespace croton;
        return function<cpu>("watch", [](tensor<float, dynamic, batch, inputs> x, machine<symbol> net) { return run<batch, Shift>(net, x); });
    }
    decltype(make_train()) train_ = make_train();
    decltype(make_watch()) watch_ = make_watch();

public:
    explicit learner_of(std::uint64_t seed) {
        net = random_network<Shift>(seed);
        state = croton::rmsprop_momentum_state<network>::zeros_like(net);
    }
    float train(const array<float, 3>& x, const array<float, 3>& wanted, float rate) override { return train_(x, wanted, rate, net, state); }
    std::tuple<array<float, 3>, array<float, 3>, array<float, 3>> watch(const array<float, 3>& x) const override { return watch_(x, net); }
};

}  // namespace ntm

#endif
