// SPDX-License-Identifier: MIT
// Elements picked by arrays of indices.
#ifndef CROTON_OPS_GATHER_HPP
#define CROTON_OPS_GATHER_HPP

#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Where all indices are an argument of the call, in whatever order, they are checked before anything runs.
constexpr void bound_indices(arena& g, int indices, size_ref limit, bound_of who) {
    while (g[indices].what == tag<structure::view> || g[indices].what == tag<structure::reshape> || g[indices].what == tag<structure::broadcast>)
        indices = g[indices].in[0];
    if (g[indices].what != tag<structure::input>) return;
    const bound_check check{static_cast<int>(g[indices].bits), limit, who};
    for (const bound_check& known : g.bounds)
        if (known.leaf == check.leaf && known.who == who && g.same(known.limit, limit)) return;
    g.bounds.push(check);
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
    static_assert(detail::are_indices<L>, "croton: the indices of take are whole numbers, int or int64");
    static_assert(rank_fits, "croton: the rank of an expression is 0 to 8");
    (void)detail::checked_mask<detail::rank_of<X>, Axis>();
    if constexpr (!detail::are_indices<L> || !axis_fits || !rank_fits) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return detail::gathered<Axis, false, rank>(x, indices);
    }
}

/// For each index the element of `x` that differs from its own place in the named axis only, NumPy's `take_along_axis(x, indices, axis)`:
/// [a,n] and [a,p] give [a,p] for axis 1. Other axes are repeated where their extent is 1 in the declaration. Indices as for `take`.
template <int Axis, traced X, traced L> constexpr auto take_along_axis(const X& x, const L& indices) {
    constexpr bool axis_fits = detail::axes_fit<detail::rank_of<X>, Axis>, rank_fits = detail::rank_of<X> == detail::rank_of<L>;
    static_assert(detail::are_indices<L>, "croton: the indices of take_along_axis are whole numbers, int or int64");
    static_assert(rank_fits, "croton: take_along_axis needs as many axes in the indices as in the array");
    (void)detail::checked_mask<detail::rank_of<X>, Axis>();
    if constexpr (!detail::are_indices<L> || !axis_fits || !rank_fits) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return detail::gathered<Axis, true, detail::rank_of<X>>(x, indices);
    }
}

}  // namespace croton::inline v0_1

#endif
