// SPDX-License-Identifier: MIT
// RMSProp.
#ifndef CROTON_OPTIM_RMSPROP_HPP
#define CROTON_OPTIM_RMSPROP_HPP

#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

struct rmsprop_options {
    hyper learning_rate = 1e-3;
    hyper decay = 0.9;
    hyper epsilon = 1e-8;
};

/// The mean square of the gradient of every array of a model.
template <class M> struct rmsprop_state {
    M mean_square;

    static rmsprop_state zeros_like(const M& model) { return {croton::zeros_like(model)}; }
};

/// s <- decay * s + (1 - decay) * g^2, w <- w - learning_rate * g / (sqrt(s) + epsilon) (Tieleman and Hinton 2012, lecture 6.5;
/// epsilon outside the root).
template <class C, class M, class S> constexpr auto rmsprop(const C& cost, const M& model, const S& state, const rmsprop_options& options = {}) {
    detail::update_sink<2 * detail::arrays_in<M>> updates;
    detail::for_each_gradient(
        cost, model,
        [&](const auto& w, const auto& g, const auto& mean_square) {
            using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
            const auto decay = detail::scalar_of<T>(detail::graph_of(cost), options.decay);
            const auto s = decay * mean_square + (1 - decay) * sqr(g);
            updates.add(update(mean_square, s));
            updates.add(w -= detail::scalar_of<T>(detail::graph_of(cost), options.learning_rate) * g /
                             (sqrt(s) + detail::scalar_of<T>(detail::graph_of(cost), options.epsilon)));
        },
        state.mean_square);
    return updates.list;
}

}  // namespace croton::inline v0_1

#endif
