// SPDX-License-Identifier: MIT
// The program of W6, for its benchmark and for what it costs to compile.
#ifndef CROTON_BENCH_W6_STEP_HPP
#define CROTON_BENCH_W6_STEP_HPP

#include "../examples/15_ntm/network.hpp"

#include <tuple>

namespace bench {

inline constexpr int ntm_batch = 4, ntm_length = 20, ntm_turns = 2 * ntm_length + 2;

/// One training step on the copy task: the gradient through all turns, clipped, RMSProp with momentum. `Shift` is how heads turn.
template <class Shift> auto ntm_step() {
    using namespace croton;
    return function<cpu>("ntm", [](tensor<float, ntm_turns, ntm_batch, ntm::inputs> x, tensor<float, ntm_length, ntm_batch, ntm::bits> wanted, shared<ntm::machine<symbol>> net,
                                   shared<rmsprop_momentum_state<ntm::machine<symbol>>> state) {
        auto logits = std::get<0>(ntm::run<ntm_batch, Shift>(net, x));
        auto cost = mean(binary_cross_entropy_with_logits(logits(slice(-ntm_length, none)), wanted));
        auto gradient = tree_map([](auto g) { return clip(g, -10, 10); }, grad(cost, net));
        return outputs(cost).updates(
            rmsprop(gradient, net, state, {.learning_rate = 1e-4, .decay = 0.95, .epsilon = 1e-4, .momentum = 0.9, .epsilon_in_root = true}));
    });
}

}  // namespace bench

#endif
