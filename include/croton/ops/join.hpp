// SPDX-License-Identifier: MIT
// Arrays joined to one along an axis, and taken apart again.
#ifndef CROTON_OPS_JOIN_HPP
#define CROTON_OPS_JOIN_HPP

#include <array>

#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <int Rank, int Axis> inline constexpr int axis_from_front = Axis < 0 ? Axis + Rank : Axis;

/// The nodes of arrays one behind the other along an axis.
template <class... X> constexpr int concatenated(arena& g, int axis, const X&... x) {
    int all = -1;
    ((all = all < 0 ? read_node(x) : structure::concatenate::of(g, axis, all, read_node(x))), ...);
    return all;
}

}  // namespace detail

/// The arrays one behind the other along an axis, like NumPy's `concatenate`: [a,n], [b,n] -> [a + b, n] along axis 0. They have one
/// element type and, along the other axes, the same extents. Each is computed straight into its part of the result.
template <int Axis = 0, traced X, traced... Y> constexpr auto concatenate(const X& x, const Y&... y) {
    constexpr int rank = detail::rank_of<X>;
    constexpr bool same = ((detail::rank_of<Y> == rank && std::same_as<detail::number_in<Y>, detail::number_in<X>>) && ...);
    static_assert(same, "croton: concatenate joins arrays of one rank and one element type; convert with cast<float>(x), add an axis with newaxis<0>(x)");
    static_assert(rank > 0, "croton: concatenate takes arrays of at least one axis; stack<0>(a, b) joins numbers to a vector");
    constexpr bool fits = detail::axes_fit<rank, Axis>;
    if constexpr (same && rank > 0) detail::checked_mask<rank, Axis>();
    if constexpr (!same || rank == 0 || !fits) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return expr<detail::number_in<X>, rank>{x.graph, detail::concatenated(*x.graph, detail::axis_from_front<rank, Axis>, x, y...)};
    }
}

/// Arrays of one shape along a new axis, like NumPy's `stack`: [n], [n], [n] -> [3, n] for axis 0, [n, 3] for axis 1.
template <int Axis = 0, traced X, traced... Y> constexpr auto stack(const X& x, const Y&... y) {
    constexpr int rank = detail::rank_of<X> + 1;
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    if constexpr (rank > max_rank) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return concatenate<Axis>(newaxis<Axis>(x), newaxis<Axis>(y)...);
    }
}

}  // namespace croton::inline v0_1

#endif
