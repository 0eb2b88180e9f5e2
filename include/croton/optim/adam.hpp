// SPDX-License-Identifier: MIT
// Adam, for all of an array or for the parts of it that were read, and with weights that decay.
#ifndef CROTON_OPTIM_ADAM_HPP
#define CROTON_OPTIM_ADAM_HPP

#include <croton/array/zeros_like.hpp>
#include <croton/optim/touched.hpp>
#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class S> concept state_of_adam = requires(const S& s) { s.first_moment; s.second_moment; s.steps; };

}  // namespace detail

struct adam_options {
    hyper learning_rate = 1e-3;
    hyper beta1 = 0.9;
    hyper beta2 = 0.999;
    hyper epsilon = 1e-8;
};

/// The moments of the gradient of every array of a model, and the number of steps taken.
template <class M> struct adam_state {
    M first_moment;
    M second_moment;
    typename detail::counter_of<M>::type steps;

    static adam_state zeros_like(const M& model) { return {croton::zeros_like(model), croton::zeros_like(model), {}}; }
};

namespace detail {

/// `kept(w)` is what is left of a parameter before it is changed.
template <bool Lazy, class C, class M, class S, class Kept>
constexpr auto adam_updates(const C& cost, const M& model, const S& state, const adam_options& options, const Kept& kept) {
    update_sink<3 * arrays_in<M> + 1> updates;
    arena& graph = *graph_of(cost);
    const auto t = state.steps + std::int64_t(1);
    updates.add(update(state.steps, t));
    const auto correction = [&](const hyper& beta) {
        return 1 - pow(scalar_of<double>(&graph, beta), cast<double>(t));
    };
    const auto correction1 = correction(options.beta1), correction2 = correction(options.beta2);
    for_each_gradient(
        cost, model,
        [&](const auto& w, const auto& g, const auto& first, const auto& second) {
            using X = expr_of<decltype(as_number(g))>;
            using T = typename X::element;
            const auto beta1 = scalar_of<T>(&graph, options.beta1);
            const auto beta2 = scalar_of<T>(&graph, options.beta2);
            const auto moment1 = [&](const auto& before, const auto& now) { return beta1 * before + (1 - beta1) * now; };
            const auto moment2 = [&](const auto& before, const auto& now) { return beta2 * before + (1 - beta2) * sqr(now); };
            const auto change = [&](const auto& m, const auto& v) {
                const auto rate = cast<T>(scalar_of<double>(&graph, options.learning_rate) / correction1);
                return rate * m / (sqrt(v * cast<T>(1 / correction2)) + scalar_of<T>(&graph, options.epsilon));
            };
            touched_parts parts;
            if (Lazy && !graph.failed() && parts.collect(graph, g.id)) {
                tie_extents(graph, w.id, first.id);
                tie_extents(graph, w.id, second.id);
                parts.add_up(graph, graph[w.id].shape[parts.axis]);
                const auto part = [&](const auto& x) { return X{&graph, parts.of(graph, x.id)}; };
                const auto put = [&](const auto& x, const auto& value) { updates.add(update(x, X{&graph, parts.put(graph, x.id, value.id)})); };
                const X now{&graph, parts.values};
                const auto m = moment1(part(first), now), v = moment2(part(second), now);
                put(first, m);
                put(second, v);
                put(w, part(w) - change(m, v));
            } else {
                const auto m = moment1(first, g);
                const auto v = moment2(second, g);
                updates.add(update(first, m));
                updates.add(update(second, v));
                updates.add(update(w, kept(as_number(w)) - change(m, v)));
            }
        },
        state.first_moment, state.second_moment);
    return updates.list;
}
inline constexpr auto all_kept = [](const auto& w) { return w; };

}  // namespace detail

/// Algorithm 1 of Kingma and Ba (2015): with t = steps + 1,
/// m <- beta1 m + (1 - beta1) g, v <- beta2 v + (1 - beta2) g^2,
/// w <- w - learning_rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon). The powers are taken in double. It is dense: where g is 0,
/// the moments decay and w moves on, so that every step passes over all of the three arrays, also those of a table of which few rows were read.
template <class C, class M, detail::state_of_adam S> constexpr auto adam(const C& cost, const M& model, const S& state, const adam_options& options = {}) {
    return detail::adam_updates<false>(cost, model, state, options, detail::all_kept);
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto adam(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: adam(cost, model, state, {.learning_rate = 0.001}) takes an adam_state of the model, as shared<adam_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

/// The same where the gradient comes from; elsewhere w and its moments stay as they are: PyTorch's `SparseAdam`. An array that the cost reads by `take`
/// along one axis, or by indices that stand for it, and in no other way, is touched only where these indices lead; what several of them add in one
/// place is one gradient. Every other array is updated as `adam` does it.
template <class C, class M, detail::state_of_adam S> constexpr auto lazy_adam(const C& cost, const M& model, const S& state, const adam_options& options = {}) {
    return detail::adam_updates<true>(cost, model, state, options, detail::all_kept);
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto lazy_adam(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: lazy_adam(cost, model, state, {.learning_rate = 0.001}) takes an adam_state of the model, as shared<adam_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

struct adamw_options {
    hyper learning_rate = 1e-3;
    hyper beta1 = 0.9;
    hyper beta2 = 0.999;
    hyper epsilon = 1e-8;
    hyper weight_decay = 0.01;
};

/// Adam with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2): w <- (1 - learning_rate * weight_decay) * w, and then what `adam`
/// takes from it. All arrays of the model decay; those that are not to, such as biases, are a model of their own.
template <class C, class M, detail::state_of_adam S> constexpr auto adamw(const C& cost, const M& model, const S& state, const adamw_options& options = {}) {
    const auto kept = [&](const auto& w) {
        const auto number = [&](const hyper& h) { return detail::scalar_of<detail::number_in<std::remove_cvref_t<decltype(w)>>>(w.graph, h); };
        return (1 - number(options.learning_rate) * number(options.weight_decay)) * w;
    };
    return detail::adam_updates<false>(cost, model, state, {options.learning_rate, options.beta1, options.beta2, options.epsilon}, kept);
}

/// Of another state, or of none: a compile-time error.
template <class C, class M, class... X> constexpr auto adamw(const C&, const M&, const X&...) {
    static_assert(sizeof...(X) > 99, "croton: adamw(cost, model, state, {.learning_rate = 0.001}) takes an adam_state of the model, as shared<adam_state<net<symbol>>>, and options in braces");
    return detail::update_sink<1>().list;
}

}  // namespace croton::inline v0_1

#endif
