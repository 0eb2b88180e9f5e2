// SPDX-License-Identifier: MIT
// Elements picked by arrays of indices.
#ifndef CROTON_OPS_GATHER_HPP
#define CROTON_OPS_GATHER_HPP

#include <array>
#include <type_traits>
#include <utility>

#include <croton/core/picked_axes.hpp>
#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Where all indices are an argument of the call, in whatever order, or elements that a loop has of one, they are checked before anything runs; false where they are not.
constexpr bool bound_indices(arena& g, int indices, size_ref limit, bound_of who) {
    indices = whole_of(g, indices);
    while (g[indices].what == tag<structure::view> || g[indices].what == tag<structure::reshape> || g[indices].what == tag<structure::broadcast>)
        indices = whole_of(g, g[indices].in[0]);
    if (g[indices].what != tag<structure::input>) return false;
    const bound_check check{static_cast<int>(g[indices].bits), limit, who};
    for (const bound_check& known : g.bounds)
        if (known.leaf == check.leaf && known.who == who && g.same(known.limit, limit)) return true;
    g.bounds.push(check);
    return true;
}

template <traced L> inline constexpr bool are_indices = std::is_integral_v<element_in<L>> && !std::is_same_v<element_in<L>, bool>;

template <int Axis, bool Aligned, int Rank, traced X, traced L> constexpr auto gathered(const X& x, const L& indices) {
    arena& g = *x.graph;
    constexpr int axis = Axis < 0 ? Axis + rank_of<X> : Axis;
    bound_indices(g, indices.id, g[x.id].shape[axis], Aligned ? bound_of::take_along_axis : bound_of::take);
    return expr<number_in<X>, Rank>{x.graph, structure::gather::of(g, read_node(x), indices.id, axis, Aligned)};
}

}  // namespace detail

/// The elements of `x` at `indices` along an axis, NumPy's `take(x, indices, axis)`: [a,n,b] and [p,q] give [a,p,q,b] for axis 1, and an
/// index of rank 0 drops the axis. Negative indices count from the end. Where the indices are an argument, one that names nothing is
/// a `value_error` before anything runs, or, where they lie on a GPU, when the host next waits for it; a computed one picks the first
/// or the last element, whichever is nearer. There is nothing to pick from an axis without elements: a `shape_error`.
template <int Axis, traced X, traced L> constexpr auto take(const X& x, const L& indices) {
    constexpr int rank = detail::rank_of<X> + detail::rank_of<L> - 1;
    constexpr bool axis_fits = detail::axes_fit<detail::rank_of<X>, Axis>, rank_fits = rank <= max_rank;
    static_assert(detail::are_indices<L>, "croton: the indices of take are whole numbers, of an integer type");
    static_assert(rank_fits, "croton: the rank of an expression is 0 to 8");
    (void)detail::checked_mask<detail::rank_of<X>, Axis>();
    if constexpr (!detail::are_indices<L> || !axis_fits || !rank_fits) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return detail::gathered<Axis, false, rank>(x, indices);
    }
}

/// Of arrays, the indices in braces: `take<0>(x, {0, 2})`.
template <int Axis, class X, std::size_t N> requires requires { std::remove_cvref_t<X>::rank; } constexpr auto take(X&& x, const int (&indices)[N]) {
    return take<Axis>(std::forward<X>(x), std::to_array(indices));
}

/// For each index the element of `x` that differs from its own place in the named axis only, NumPy's `take_along_axis(x, indices, axis)`:
/// [a,n] and [a,p] give [a,p] for axis 1. Other axes are repeated where their extent is 1 in the declaration. Indices as for `take`.
template <int Axis, traced X, traced L> constexpr auto take_along_axis(const X& x, const L& indices) {
    constexpr bool axis_fits = detail::axes_fit<detail::rank_of<X>, Axis>, rank_fits = detail::rank_of<X> == detail::rank_of<L>;
    static_assert(detail::are_indices<L>, "croton: the indices of take_along_axis are whole numbers, of an integer type");
    static_assert(rank_fits, "croton: take_along_axis needs as many axes in the indices as in the array");
    (void)detail::checked_mask<detail::rank_of<X>, Axis>();
    if constexpr (!detail::are_indices<L> || !axis_fits || !rank_fits) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return detail::gathered<Axis, true, detail::rank_of<X>>(x, indices);
    }
}

namespace detail {

/// An index from the front, in 64 bits.
constexpr int from_front(arena& g, int index, size_ref extent) {
    index = structure::cast::of(g, element::int64, index);
    const int moved = g.apply(code<op::add>, index, g.size(element::int64, extent));
    return g.apply(code<op::where>, g.apply(code<op::less>, index, g.literal(element::int64, 0)), moved, index);
}

/// Several indices as one, along an axis that is the ones they index: those, one in another, of `a`.
template <class Axes> constexpr void merge_indices(arena& g, int& a, int* index, const bool* checked, const Axes& axes) {
    shape to = g[a].shape;
    int merged = -1;
    size_ref extent = 1;
    for (int i = 0; i < Axes::count; ++i) {
        const size_ref n = g[a].shape[axes.axis[i]];
        extent = g.product(extent, n);
        int here = from_front(g, index[i], n);
        // One that is not checked is not another row's.
        if (!checked[i]) here = g.apply(code<op::clip>, here, g.literal(element::int64, 0), g.apply(code<op::subtract>, g.size(element::int64, n), g.literal(element::int64, 1)));
        merged = merged < 0 ? here : g.apply(code<op::add>, g.apply(code<op::multiply>, merged, g.size(element::int64, n)), here);
    }
    to.rank -= Axes::count - 1;
    to[axes.axis[0]] = extent;
    for (int i = axes.axis[0] + 1; i < to.rank; ++i) to[i] = g[a].shape[i + Axes::count - 1];
    a = structure::reshape::of(g, a, to);
    index[0] = merged;
}

template <traced X, class... I> constexpr auto picked_by(by_indices, const X& x, const I&... i) {
    constexpr int rank = rank_of<X>;
    static_assert(axes_named<I...> <= rank, "croton: an array takes at most one index for each of its axes");
    static_assert(ellipses<I...> <= 1, "croton: an ellipsis stands for the axes that are left, so that there is at most one");
    constexpr indexed_axes<rank, I...> axes;
    constexpr int most = largest_rank<I...>(), made = axes.rank - axes.count + most;
    static_assert(axes.neighbours(), "croton: several arrays of indices index axes side by side; transpose the array first");
    static_assert(made <= max_rank, "croton: the rank of an expression is 0 to 8");
    if constexpr (!indices_fit<rank, I...> || !axes.neighbours() || made > max_rank) {
        x.graph->stopped = true;
        return as_number(x);
    } else {
        arena& g = *x.graph;
        int a = read_node(x);
        a = part_of(g, a, whole_where_array(i)...);
        int index[axes.count]{}, at = 0;
        bool checked[axes.count]{};
        const auto bound = [&](const auto& each) {
            if constexpr (traced_index<std::remove_cvref_t<decltype(each)>>) {
                checked[at] = bound_indices(g, each.id, g[a].shape[axes.axis[at]], bound_of::take);
                index[at++] = each.id;
            }
        };
        (bound(i), ...);
        if constexpr (axes.count > 1) merge_indices(g, a, index, checked, axes);
        return expr<number_in<X>, made>{&g, structure::gather::of(g, a, index[0], axes.axis[0], false)};
    }
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
