// SPDX-License-Identifier: MIT
// Adagrad, and Adadelta, which forgets.
#ifndef CROTON_OPTIM_ADAGRAD_HPP
#define CROTON_OPTIM_ADAGRAD_HPP

#include <croton/array/zeros_like.hpp>
#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class S> concept state_of_adagrad = requires(const S& s) { s.sum_of_squares; };
template <class S> concept state_of_adadelta = requires(const S& s) { s.mean_square; s.mean_square_change; };

}  // namespace detail

struct adagrad_options {
    hyper learning_rate = 0.01;
    hyper epsilon = 1e-10;
};

/// The sum of the squares of the gradients of every array of a model.
template <class M> struct adagrad_state {
    M sum_of_squares;

    static adagrad_state zeros_like(const M& model) { return {croton::zeros_like(model)}; }
};

/// s <- s + g^2, w <- w - learning_rate * g / (sqrt(s) + epsilon) (Duchi, Hazan, Singer 2011; epsilon and defaults as in PyTorch).
template <class C, class M, detail::state_of_adagrad S> constexpr auto adagrad(const C& cost, const M& model, const S& state, const adagrad_options& options = {}) {
    detail::update_sink<2 * detail::arrays_in<M>> updates;
    detail::arena* const graph = detail::graph_of(cost);
    detail::for_each_gradient(
        cost, model,
        [&](const auto& w, const auto& g, const auto& sum_of_squares) {
            using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
            const auto s = sum_of_squares + sqr(g);
            updates.add(update(sum_of_squares, s));
            updates.add(w -= detail::scalar_of<T>(graph, options.learning_rate) * g / (sqrt(s) + detail::scalar_of<T>(graph, options.epsilon)));
        },
        state.sum_of_squares);
    return updates.list;
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto adagrad(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: adagrad(cost, model, state, {.learning_rate = 0.01}) takes an adagrad_state of the model, as shared<adagrad_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

struct adadelta_options {
    hyper learning_rate = 1;
    hyper decay = 0.9;
    hyper epsilon = 1e-6;
};

/// The mean squares of the gradients and of the changes of every array of a model.
template <class M> struct adadelta_state {
    M mean_square;
    M mean_square_change;

    static adadelta_state zeros_like(const M& model) { return {croton::zeros_like(model), croton::zeros_like(model)}; }
};

/// Algorithm 1 of Zeiler (2012, arXiv 1212.5701): s <- decay * s + (1 - decay) * g^2, d = g * sqrt(u + epsilon) / sqrt(s + epsilon),
/// u <- decay * u + (1 - decay) * d^2, w <- w - learning_rate * d.
template <class C, class M, detail::state_of_adadelta S> constexpr auto adadelta(const C& cost, const M& model, const S& state, const adadelta_options& options = {}) {
    detail::update_sink<3 * detail::arrays_in<M>> updates;
    detail::arena* const graph = detail::graph_of(cost);
    detail::for_each_gradient(
        cost, model,
        [&](const auto& w, const auto& g, const auto& mean_square, const auto& mean_square_change) {
            using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
            const auto decay = detail::scalar_of<T>(graph, options.decay), epsilon = detail::scalar_of<T>(graph, options.epsilon);
            const auto averaged = [&](const auto& before, const auto& now) { return decay * before + (1 - decay) * sqr(now); };
            const auto s = averaged(mean_square, g);
            const auto change = sqrt(mean_square_change + epsilon) / sqrt(s + epsilon) * g;
            updates.add(update(mean_square, s));
            updates.add(update(mean_square_change, averaged(mean_square_change, change)));
            updates.add(w -= detail::scalar_of<T>(graph, options.learning_rate) * change);
        },
        state.mean_square, state.mean_square_change);
    return updates.list;
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto adadelta(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: adadelta(cost, model, state, {.learning_rate = 1.0}) takes an adadelta_state of the model, as shared<adadelta_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

}  // namespace croton::inline v0_1

#endif
