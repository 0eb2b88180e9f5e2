// SPDX-License-Identifier: MIT
// vmap: a function of one, computed for each along the first axis as one graph.
#ifndef CROTON_AUTODIFF_VMAP_HPP
#define CROTON_AUTODIFF_VMAP_HPP

#include <tuple>

#include <croton/autodiff/batched_loop.hpp>
#include <croton/autodiff/turn_values.hpp>
#include <croton/core/literals.hpp>
#include <croton/graph/batching.hpp>
#include <croton/graph/trace.hpp>
#include <croton/ops/shape.hpp>
#include <croton/rewrite/pass.hpp>

namespace croton::inline v0_1 {

namespace detail {

namespace structure {

/// What the lambda of a vmap is given in place of one of many.
struct one_of_many {  // bits: a number of its own
    static constexpr std::string_view name = "an argument of vmap"sv;
    static constexpr placement place = placement::expands;
    static constexpr std::string_view no_derivative = "it is an argument"sv;

    static constexpr int of(arena& g, element type, const detail::shape& s) {
        node n;
        n.what = g.own_structure(structure_facts_of<one_of_many>);
        n.type = type;
        n.bits = g.nodes.size();
        n.shape = s;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
    static constexpr int expand(arena& g, const node& n) {
        if (!g.failed()) g.error << "vmap: an argument of its lambda is used outside of it";
        return g.literal(n.type, 0);
    }
    static constexpr void describe(const arena&, text_builder& out, const node&) { out << name; }
};

}  // namespace structure

/// One of `x` along its first axis, whose extent is that of the batch.
template <traced X> constexpr auto one_of(batching& b, const X& x) {
    arena& g = b.g;
    const int many = read_node(x);
    const detail::shape from = g[many].shape;
    detail::shape one;
    one.rank = from.rank - 1;
    for (int i = 0; i < one.rank; ++i) one[i] = from[i + 1];
    if (!g.unify(b.count, from[0], tie::vmap) && !g.failed()) {
        g.error << "vmap: ";
        g.describe(g.error, many);
        g.error << " has extent ";
        g.describe_size(g.error, from[0]);
        g.error << " along its first axis, where the first argument has ";
        g.describe_size(g.error, b.count);
    }
    const int id = structure::one_of_many::of(g, g[many].type, one);
    b.stands_for(id, many);
    return expr<number_in<X>, rank_of<X> - 1>{&g, id};
}

/// What stands for a node of the lambda: its arguments first.
constexpr int batched(batching& b, int root) {
    arena& g = b.g;
    b.grow();
    vec<int> open;
    root = current(g, root);
    open.push(root);
    while (!open.empty() && !g.failed()) {
        const int id = open.back(), waiting = open.size();
        node n = g.nodes.at[id];
        if (n.what == tag<structure::repeat> && b.of.at[id] < 0) {
            g.deriving = n.derived;
            loop_of_many(b, id).take(open);
            g.deriving = false;
            if (open.size() > waiting) continue;
        }
        bool many = false;
        for (int& a : n.in) {
            if (a < 0 || b.of.at[id] >= 0) continue;
            // What a turn is given is known with its loop.
            if (n.what == tag<structure::turn_part> && &a != &n.in[0] && b.of.at[n.in[0]] < 0) break;
            a = current(g, a);
            if (b.of.at[a] < 0) open.push(a);
            many = many || b.is_many.at[a] != 0;
        }
        if (open.size() > waiting) continue;
        open.pop();
        if (b.of.at[id] >= 0) continue;
        b.of.at[id] = id;
        if (!many) continue;
        const structure_facts& facts = g.structure_of(n);
        b.is_many.at[id] = 1;
        if (n.what == tag<structure::turn_part>) {
            g.deriving = n.derived;
            b.of.at[id] = loop_of_many(b, n.in[0]).part(n);
            g.deriving = false;
        } else if (!facts.batches) {
            g.error << "vmap: " << facts.name << " has no rule for a batch; its struct has no function batch(b, node)";
        } else if (n.shape.rank == max_rank) {
            g.error << "vmap: ";
            facts.describe(g, g.error, n);
            g.error << " has 8 axes for each, so that there is none for all";
        } else {
            g.deriving = n.derived;
            b.of.at[id] = facts.batch(b, n);
            g.deriving = false;
        }
    }
    return g.failed() ? root : b.whole(root);
}

template <traced Y> constexpr auto for_each_of(batching& b, const Y& y) {
    constexpr bool fits = rank_of<Y> < max_rank;
    static_assert(fits, "croton: the rank of an expression is 0 to 8, and vmap adds an axis");
    if constexpr (!fits) {
        b.g.stopped = true;
        return as_number(y);
    } else {
        return expr<number_in<Y>, rank_of<Y> + 1>{&b.g, batched(b, read_node(y))};
    }
}
/// Of a model, whose arrays gain the axis: the gradients of one example, for all.
template <class M> requires (!traced<M> && model<symbol_of<M>>)
constexpr auto for_each_of(batching& b, const M& net) {
    vec<int> ids;
    int at = 0;
    for_each_leaf(static_cast<const symbol_of<M>&>(net), [&](const auto& x) { ids.push(batched(b, read_node(x))); });
    return value_like<1, M>::of(&b.g, ids, at);
}

template <class... Y> constexpr auto for_each_of(batching& b, const std::tuple<Y...>& y) {
    return std::apply([&](const Y&... each) { return std::tuple{for_each_of(b, each)...}; }, y);
}

template <class Y> inline constexpr bool is_mapped_result = traced<Y> || model<symbol_of<Y>>;
template <class... Y> inline constexpr bool is_mapped_result<std::tuple<Y...>> = (is_mapped_result<Y> && ...);

/// What was differentiated for each was differentiated for all: a program that uses the derivative uses what it is the derivative of.
constexpr void batch_derivatives(batching& b, int first) {
    arena& g = b.g;
    const int last = g.derivatives.size();
    for (int i = first; i < last; ++i) {
        const derivative_of d = g.derivatives.at[i];
        const auto known = [&](int id) { return id < b.of.size() && b.of.at[id] >= 0 ? b.of.at[id] : id; };
        if (g.failed()) return;
        g.derivatives.push({known(d.derivative), batched(b, d.cost), known(d.wrt)});
    }
}

}  // namespace detail

/// What `f` makes of each along the first axis of `x...`, as one computation: vmap(f, x) is f(x[0]), f(x[1]), ... one behind the other, and its elements are
/// computed like those of any expression; products become products of many matrices. `f` takes an expression of one axis less for each of `x`, which have one
/// first extent, and returns an expression, a model, or a `std::tuple` of them, which gain that axis; what it captures is the same for each. Derivatives may be taken
/// within, as gradients of one example, and outside. JAX's `vmap`.
template <class F, traced... X> requires (sizeof...(X) > 0) constexpr auto vmap(const F& f, const X&... x) {
    constexpr bool have_axes = ((detail::rank_of<X> > 0) && ...);
    static_assert(have_axes, "croton: vmap goes along the first axis of its arguments, and one of rank 0 has none; capture what is the same for each");
    const auto& first = std::get<0>(std::tie(x...));
    detail::arena& g = *first.graph;
    if constexpr (!have_axes) {
        g.stopped = true;
        return detail::as_number(first);
    } else if constexpr (!std::is_invocable_v<const F&, expr<detail::number_in<X>, detail::rank_of<X> - 1>...>) {
        static_assert(!have_axes, "croton: the lambda of vmap takes an argument for each array, as in vmap([](auto row, auto y) { return sum(row) * y; }, x, ys)");
        g.stopped = true;
        return detail::as_number(first);
    } else {
        const int derivatives = g.derivatives.size();
        detail::batching b(g, g[detail::read_node(first)].shape[0]);
        ++g.draws.batches;
        // Not by std::apply, which would ask of the lambda first whether it throws.
        const auto one = [&]<std::size_t... I>(std::index_sequence<I...>, const auto& given) { return f(std::get<I>(given)...); }
        (std::index_sequence_for<X...>(), std::tuple{detail::one_of(b, x)...});
        --g.draws.batches;
        constexpr bool returns = detail::is_mapped_result<decltype(detail::as_tuples(one))>;
        static_assert(returns, "croton: the lambda of vmap returns an expression, a model, or a std::tuple of them");
        if constexpr (!returns) {
            g.stopped = true;
            return detail::as_number(first);
        } else {
            const auto all = detail::for_each_of(b, detail::as_tuples(one));
            detail::batch_derivatives(b, derivatives);
            return all;
        }
    }
}

/// The function of many that `f` is for one: `vmap(f)(x, y)` is `vmap(f, x, y)`.
template <class F> requires (!traced<F>) constexpr auto vmap(const F& f) {
    return [f](const auto&... x) { return vmap(f, x...); };
}

}  // namespace croton::inline v0_1

#endif
