// SPDX-License-Identifier: MIT
// Stochastic gradient descent, plain and with momentum.
#ifndef CROTON_OPTIM_SGD_HPP
#define CROTON_OPTIM_SGD_HPP

#include <croton/array/zeros_like.hpp>
#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class S> concept state_with_velocity = requires(const S& s) { s.velocity; };

}  // namespace detail

struct sgd_options {
    hyper learning_rate = 0.01;
};

/// w <- w - learning_rate * d cost / d w for every array of the model (or for one shared parameter).
template <class C, class M> constexpr auto sgd(const C& cost, const M& model, const sgd_options& options = {}) {
    detail::update_sink<detail::arrays_in<M>> updates;
    detail::for_each_gradient(cost, model, [&](const auto& w, const auto& g) {
        using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
        updates.add(w -= detail::scalar_of<T>(detail::graph_of(cost), options.learning_rate) * g);
    });
    return updates.list;
}

/// Of a state, or of a number in the place of the options: a compile-time error.
template <class C, class M, class X, class... More> constexpr auto sgd(const C&, const M&, const X&, const More&...) {
    static_assert(sizeof...(More) > 99, "croton: sgd(cost, model, {.learning_rate = 0.01}) takes options in braces, and no state; with velocities it is momentum(cost, model, state, {.momentum = 0.9})");
    return detail::update_sink<1>().list;
}

struct momentum_options {
    hyper learning_rate = 0.01;
    hyper momentum = 0.9;
    bool nesterov = false;
};

/// The velocity of every array of a model. `M` is the model of symbols in the lambda, of arrays at the call.
template <class M> struct momentum_state {
    M velocity;

    /// A state at rest for the arrays of a model.
    static momentum_state zeros_like(const M& model) { return {croton::zeros_like(model)}; }
};

/// v <- momentum * v + g, w <- w - learning_rate * v (Polyak 1964); with `nesterov`, w <- w - learning_rate * (g + momentum * v)
/// (Sutskever, Martens, Dahl, Hinton 2013, as deep-learning libraries write it).
template <class C, class M, detail::state_with_velocity S> constexpr auto momentum(const C& cost, const M& model, const S& state, const momentum_options& options = {}) {
    detail::update_sink<2 * detail::arrays_in<M>> updates;
    detail::for_each_gradient(
        cost, model,
        [&](const auto& w, const auto& g, const auto& velocity) {
            using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
            const auto rate = detail::scalar_of<T>(detail::graph_of(cost), options.learning_rate);
            const auto keep = detail::scalar_of<T>(detail::graph_of(cost), options.momentum);
            const auto v = keep * velocity + g;
            updates.add(update(velocity, v));
            if (options.nesterov) updates.add(w -= rate * (g + keep * v));
            else updates.add(w -= rate * v);
        },
        state.velocity);
    return updates.list;
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto momentum(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: momentum(cost, model, state, {.learning_rate = 0.01}) takes a momentum_state of the model, as shared<momentum_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

}  // namespace croton::inline v0_1

#endif
