// SPDX-License-Identifier: MIT
// What the optimisers share: hyper-parameters that may be traced, and one rule applied to every array of a model.
#ifndef CROTON_OPTIM_UPDATE_HPP
#define CROTON_OPTIM_UPDATE_HPP

#include <croton/array/array.hpp>
#include <croton/autodiff/grad.hpp>
#include <croton/ops/in_place.hpp>
#include <croton/ops/nn.hpp>

namespace croton::inline v0_1 {

/// A hyper-parameter: a number, or a traced scalar, so that a schedule is an argument of the function.
struct hyper {
    constexpr hyper(double v) : value(v) {}
    template <element_type T> constexpr hyper(const expr<T, 0>& e) : graph(e.graph), id(e.id) {}

    double value = 0;
    detail::arena* graph = nullptr;
    int id = -1;
};

namespace detail {

/// The hyper-parameter as a scalar of element type `T` in the graph of the cost.
template <class T> constexpr expr<T, 0> scalar_of(arena* g, const hyper& h) {
    return {g, h.id < 0 ? g->literal(element_of<T>, h.value) : structure::cast::of(*g, element_of<T>, h.id)};
}

/// The kind of rank-0 arrays that belongs to a model, or to a single array.
template <class M> struct counter_of {
    using type = typename model_traits<M>::template kind<std::int64_t, 0>;
};
template <class T, int R> struct counter_of<symbol<T, R>> {
    using type = symbol<std::int64_t, 0>;
};
template <class T, int R, class D> struct counter_of<array<T, R, D>> {
    using type = array<std::int64_t, 0, D>;
};

/// Collects updates in order.
template <int N> struct update_sink {
    update_list<N> list{};
    int count = 0;

    template <int K> constexpr void add(const update_list<K>& u) {
        for (const update_of& one : u.entry) list.entry[static_cast<unsigned>(count++)] = one;
    }
};

/// What an optimiser was given for a model: gradients of its structure, or a cost, which is a number, to take them of.
template <class C, class M> constexpr auto gradients_of(const C& given, const M& model) {
    if constexpr (traced<C>) {
        if constexpr (traced<M> && rank_of<C> > 0) {
            static_assert(rank_of<C> == rank_of<M>, "croton: an optimiser takes a cost, which is a number, or gradients of the structure of the model");
            return as_number(given);
        } else {
            return grad(given, model);
        }
    } else {
        static_assert(std::is_same_v<symbol_of<C>, symbol_of<M>>, "croton: an optimiser takes a cost, which is a number, or gradients of the structure of the model");
        return static_cast<const symbol_of<C>&>(given);
    }
}

/// The graph of a cost, or of gradients.
template <class C> constexpr arena* graph_of(const C& given) {
    if constexpr (traced<C>) return given.graph;
    else return leaf<0>(static_cast<const symbol_of<C>&>(given)).graph;
}

/// Calls `f(parameter, gradient, state...)` for every array of a model; a single parameter is a model of one array.
template <class C, class M, class F, class... State> constexpr void for_each_gradient(const C& cost, const M& model, F&& f, const State&... state) {
    const auto gradients = gradients_of(cost, model);
    if constexpr (traced<M>) f(model, gradients, state...);
    else for_each_leaf_of(f, static_cast<const symbol_of<M>&>(model), gradients, state...);
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
