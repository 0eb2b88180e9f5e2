// SPDX-License-Identifier: MIT
// Models as a whole: a function of every array, updates of all of them, the length of all together.
#ifndef CROTON_OPTIM_TREE_HPP
#define CROTON_OPTIM_TREE_HPP

#include <croton/ops/norm.hpp>
#include <croton/optim/update.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class M> concept symbol_model = !traced<M> && requires { requires model<symbol_of<M>>; } && symbolic<symbol_of<M>>();

/// The symbols of a model, which may be assigned to where it may.
template <class M> constexpr const symbol_of<M>& symbols_of(const M& model) { return model; }
template <class M> requires (!std::is_const_v<M>)
constexpr symbol_of<M>& symbols_of(M& model) { return model; }

template <class M> constexpr bool says_no_number() {
    static_assert(sizeof(M) == 0, "croton: to a model another of its structure is added; a number is added to each array by tree_map([](auto w) { return w + 1; }, net)");
    return sentence_stands<M>();
}

template <class M> constexpr symbol_of<M> left_alone_model(const M& model) {
    graph_of(model)->stopped = true;
    return model;
}
template <class M> constexpr update_list<0> no_updates(const M& model) {
    graph_of(model)->stopped = true;
    return {};
}

/// One update list of those of all fields: `f(field, field of b...)`.
template <class M, class F, class... B> constexpr auto updates_of(M& model, F&& f, const B&... b) {
    update_sink<arrays_in<std::remove_const_t<M>>> updates;
    for_each_leaf_of([&](traced auto& w, const traced auto&... x) { updates.add(f(w, x...)); }, symbols_of(model), static_cast<const symbol_of<B>&>(b)...);
    return updates.list;
}

}  // namespace detail

/// What `f` makes of each array of a model, or of the arrays of several models of one structure in one place: `tree_map([](auto g, auto w) { return g + 0.01 * w; },
/// gradients, net)`. `f` gives the rank that it takes. The result has the structure of the first. JAX's `tree.map`.
template <class F, class First, class... Rest> constexpr auto tree_map(F&& f, const First& first, const Rest&... rest) {
    if constexpr (traced<First>) {
        return f(first, rest...);
    } else {
        constexpr bool alike = (std::is_same_v<detail::symbol_of<First>, detail::symbol_of<Rest>> && ...);
        static_assert(alike, "croton: tree_map takes models of one structure");
        detail::symbol_of<First> made{};
        if constexpr (alike)
            detail::for_each_leaf_of(
                [&](traced auto& to, const traced auto&... from) {
                    const auto one = f(detail::as_number(from)...);
                    using wanted = std::remove_cvref_t<decltype(to)>;
                    using given = std::remove_cvref_t<decltype(one)>;
                    constexpr bool fits = detail::rank_of<given> == detail::rank_of<wanted> && std::is_same_v<detail::number_in<given>, detail::number_in<wanted>>;
                    static_assert(fits, "croton: the function of tree_map gives the rank and the element type that it takes");
                    to.graph = one.graph;
                    to.id = one.id;
                },
                made, static_cast<const detail::symbol_of<First>&>(first), static_cast<const detail::symbol_of<Rest>&>(rest)...);
        return made;
    }
}

/// The root of the sum of the squares of all elements of a model, or of an expression. Where it is 0 its derivative is 0.
template <class M> constexpr auto global_norm(const M& model) {
    if constexpr (traced<M>) {
        return norm(model);
    } else {
        expr<detail::number_in<detail::leaf_t<detail::symbol_of<M>, 0>>, 0> squares;
        detail::for_each_leaf(static_cast<const detail::symbol_of<M>&>(model), [&](const auto& x) {
            const auto part = sum(sqr(x));
            squares = squares.graph == nullptr ? part : squares + part;
        });
        return detail::root_of_squares(squares);
    }
}

/// Gradients, all scaled alike so that their `global_norm` is at most `most`: PyTorch's `clip_grad_norm_`. Optimisers take them where they take a cost:
/// `adam(clip_by_global_norm(grad(cost, net), 1.0), net, state)`.
template <class G, detail::operand L> constexpr auto clip_by_global_norm(const G& gradients, L most) {
    const auto scale = minimum(most / global_norm(gradients), 1);
    return tree_map([&](const auto& g) { return g * scale; }, gradients);
}

/// Sums and differences of models of one structure, and multiples of a model by a number or an expression of rank 0, array by array: `net -= 0.1 * (sums + grad(cost, net))`.
template <detail::symbol_model A, detail::symbol_model B> constexpr auto operator+(const A& a, const B& b) {
    return tree_map([](const auto& x, const auto& y) { return x + y; }, a, b);
}
template <detail::symbol_model A, detail::symbol_model B> constexpr auto operator-(const A& a, const B& b) {
    return tree_map([](const auto& x, const auto& y) { return x - y; }, a, b);
}
template <detail::symbol_model M> constexpr auto operator-(const M& model) {
    return tree_map([](const auto& x) { return -x; }, model);
}
template <detail::operand X, detail::symbol_model M> constexpr auto operator*(X factor, const M& model) {
    return tree_map([&](const auto& x) { return factor * x; }, model);
}
template <detail::symbol_model M, detail::operand X> constexpr auto operator*(const M& model, X factor) { return factor * model; }
template <detail::symbol_model M, detail::operand X> constexpr auto operator/(const M& model, X divisor) {
    return tree_map([&](const auto& x) { return x / divisor; }, model);
}

/// Of a model and a number: compile-time errors.
#define CROTON_REFUSE(op, ...)                                                                                        \
    template <detail::symbol_model M, detail::operand X>                                                              \
    constexpr auto operator op(const M& model, const X&) noexcept(detail::says_no_number<M>()) { return __VA_ARGS__(model); }
CROTON_REFUSE(+, detail::left_alone_model)
CROTON_REFUSE(-, detail::left_alone_model)
CROTON_REFUSE(+=, detail::no_updates)
CROTON_REFUSE(-=, detail::no_updates)
#undef CROTON_REFUSE

/// Updates of every array of a model by that of another of its structure, or by one number: `sums += grad(cost, net)`, `net *= 0.999`. A model of what is computed, as
/// `auto g = grad(cost, net)`, holds the new values from then on.
template <class M, detail::symbol_model G> requires detail::symbol_model<std::remove_const_t<M>>
constexpr auto operator+=(M& model, const G& by) {
    return detail::updates_of(model, [](auto& w, const auto& x) { return w += x; }, by);
}
template <class M, detail::symbol_model G> requires detail::symbol_model<std::remove_const_t<M>>
constexpr auto operator-=(M& model, const G& by) {
    return detail::updates_of(model, [](auto& w, const auto& x) { return w -= x; }, by);
}
template <class M, detail::operand X> requires detail::symbol_model<std::remove_const_t<M>>
constexpr auto operator*=(M& model, X by) {
    return detail::updates_of(model, [&](auto& w) { return w *= by; });
}
template <class M, detail::operand X> requires detail::symbol_model<std::remove_const_t<M>>
constexpr auto operator/=(M& model, X by) {
    return detail::updates_of(model, [&](auto& w) { return w /= by; });
}
/// The new values of all arrays of a model.
template <detail::symbol_model M, detail::symbol_model V> constexpr auto update(const M& model, const V& values) {
    return detail::updates_of(model, [](const auto& w, const auto& v) { return update(w, detail::as_number(v)); }, values);
}

}  // namespace croton::inline v0_1

#endif
