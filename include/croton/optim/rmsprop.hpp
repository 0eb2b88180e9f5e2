// SPDX-License-Identifier: MIT
// RMSProp: plain, with momentum, and centred.
#ifndef CROTON_OPTIM_RMSPROP_HPP
#define CROTON_OPTIM_RMSPROP_HPP

#include <croton/array/zeros_like.hpp>
#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class S> concept state_of_rmsprop = requires(const S& s) { s.mean_square; };

}  // namespace detail

struct rmsprop_options {
    hyper learning_rate = 1e-3;
    hyper decay = 0.9;
    hyper epsilon = 1e-8;
    hyper momentum = 0;            ///< asks for a state with velocities
    bool epsilon_in_root = false;  ///< divides by sqrt(s + epsilon) and not by sqrt(s) + epsilon
};

/// The mean square of the gradient of every array of a model.
template <class M> struct rmsprop_state {
    M mean_square;

    static rmsprop_state zeros_like(const M& model) { return {croton::zeros_like(model)}; }
};

/// The same, and the velocity.
template <class M> struct rmsprop_momentum_state {
    M mean_square;
    M velocity;

    static rmsprop_momentum_state zeros_like(const M& model) { return {croton::zeros_like(model), croton::zeros_like(model)}; }
};

/// The same, and the mean gradient, which centres the mean square.
template <class M> struct centered_rmsprop_state {
    M mean_square;
    M mean_gradient;
    M velocity;

    static centered_rmsprop_state zeros_like(const M& model) {
        return {croton::zeros_like(model), croton::zeros_like(model), croton::zeros_like(model)};
    }
};

/// s <- decay * s + (1 - decay) * g^2, w <- w - learning_rate * g / (sqrt(s) + epsilon) (Tieleman and Hinton 2012, lecture 6.5), or, with
/// `epsilon_in_root`, / sqrt(s + epsilon). The state says the rest: with a `rmsprop_momentum_state`, v <- momentum * v + g / (sqrt(s) + epsilon) and
/// w <- w - learning_rate * v; with a `centered_rmsprop_state`, in addition, s - m^2 in the place of s, where m <- decay * m + (1 - decay) * g.
/// PyTorch's forms; with `epsilon_in_root` and a rate that stays the same the centred one is that of Graves (2013, arXiv 1308.0850, equations 38
/// to 41).
template <class C, class M, detail::state_of_rmsprop S> constexpr auto rmsprop(const C& cost, const M& model, const S& state, const rmsprop_options& options = {}) {
    constexpr bool moves = requires { state.velocity; }, centered = requires { state.mean_gradient; };
    detail::update_sink<(2 + (moves ? 1 : 0) + (centered ? 1 : 0)) * detail::arrays_in<M>> updates;
    detail::arena* const graph = detail::graph_of(cost);
    if (const hyper& m = options.momentum; !moves && (m.id >= 0 || m.value != 0) && !graph->failed())
        graph->error << "rmsprop: momentum needs velocities; keep a rmsprop_momentum_state<Model>";
    const auto step = [&](const auto& w, const auto& g, const auto& mean_square, const traced auto&... more) {
        using T = detail::number_in<std::remove_cvref_t<decltype(g)>>;
        const auto number = [&](const hyper& h) { return detail::scalar_of<T>(graph, h); };
        const auto decay = number(options.decay), epsilon = number(options.epsilon);
        const auto averaged = [&](const auto& before, const auto& now) { return decay * before + (1 - decay) * now; };
        const auto scaled = [&](const auto& s) {
            if (options.epsilon_in_root) return g / sqrt(s + epsilon);
            return g / (sqrt(s) + epsilon);
        };
        const auto s = averaged(mean_square, sqr(g));
        updates.add(update(mean_square, s));
        const auto moved = [&](const auto& velocity, const auto& direction) {
            const auto v = number(options.momentum) * velocity + direction;
            updates.add(update(velocity, v));
            return v;
        };
        const auto direction = [&] {
            if constexpr (centered) {
                const auto centred = [&](const auto& mean_gradient, const auto& velocity) {
                    const auto m = averaged(mean_gradient, detail::as_number(g));
                    updates.add(update(mean_gradient, m));
                    // Where every gradient is the same, rounding may leave less than 0.
                    return moved(velocity, scaled(maximum(s - sqr(m), 0)));
                };
                return centred(more...);
            } else if constexpr (moves) {
                return moved(more..., scaled(s));
            } else {
                return scaled(s);
            }
        }();
        updates.add(w -= number(options.learning_rate) * direction);
    };
    if constexpr (centered) detail::for_each_gradient(cost, model, step, state.mean_square, state.mean_gradient, state.velocity);
    else if constexpr (moves) detail::for_each_gradient(cost, model, step, state.mean_square, state.velocity);
    else detail::for_each_gradient(cost, model, step, state.mean_square);
    return updates.list;
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto rmsprop(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: rmsprop(cost, model, state, {.learning_rate = 0.001}) takes a rmsprop_state of the model, as shared<rmsprop_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

}  // namespace croton::inline v0_1

#endif
