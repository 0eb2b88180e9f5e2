// SPDX-License-Identifier: MIT
// Reductions over any axes, with and without keeping them.
#ifndef CROTON_OPS_REDUCE_HPP
#define CROTON_OPS_REDUCE_HPP

#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

/// Passed as the last argument, the reduced axes stay with extent 1: `sum<1>(x, keepdims)`.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

namespace detail {

/// The axes as a mask; none named means all. Negative axes count from the end.
template <int Rank, int... Axes> constexpr unsigned axis_mask() {
    static_assert(((Axes >= -Rank && Axes < Rank) && ...), "croton: a reduction names an axis that its argument does not have");
    if constexpr (sizeof...(Axes) == 0) {
        return (1u << Rank) - 1;
    } else {
        unsigned mask = 0;
        bool twice = false;
        ((twice = twice || ((mask >> (Axes < 0 ? Axes + Rank : Axes)) & 1u) != 0, mask |= 1u << (Axes < 0 ? Axes + Rank : Axes)), ...);
        return twice ? 0 : mask;
    }
}

template <int Rank, int... Axes> constexpr unsigned checked_mask() {
    constexpr unsigned mask = axis_mask<Rank, Axes...>();
    static_assert(mask != 0 || Rank == 0, "croton: a reduction names an axis twice");
    return mask;
}

/// The axes of `x` that are not in the mask, as a view without the others (which have extent 1).
constexpr int drop_axes(arena& g, int x, unsigned mask) {
    std::array<int, max_rank> source{};
    int rank = 0;
    for (int i = 0; i < g[x].shape.rank; ++i)
        if (((mask >> i) & 1u) == 0) source[static_cast<unsigned>(rank++)] = i;
    return g.view(x, rank, source);
}

/// `x` with new axes of extent 1 at the axes of the mask: the inverse of `drop_axes`.
constexpr int insert_axes(arena& g, int x, unsigned mask, int rank) {
    std::array<int, max_rank> source{};
    int from = 0;
    for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = ((mask >> i) & 1u) != 0 ? new_axis : from++;
    return g.view(x, rank, source);
}

constexpr int count_axes(unsigned mask) {
    int count = 0;
    for (; mask != 0; mask &= mask - 1) ++count;
    return count;
}

template <class Reduction, int... Axes, traced X> constexpr auto reduce_keep(const X& x) {
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    return expr<element_in<X>, rank_of<X>>{x.graph, x.graph->reduce(reduction_code<Reduction>, mask, x.id)};
}

template <int... Axes, traced X> constexpr auto without_axes(const X& x) {
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    return expr<element_in<X>, rank_of<X> - count_axes(mask)>{x.graph, drop_axes(*x.graph, x.id, mask)};
}

/// NumPy sums bools and 32 bit integers in 64 bits.
template <traced X> constexpr auto widen(const X& x) {
    if constexpr (std::is_integral_v<element_in<X>>) return cast<std::int64_t>(x);
    else return as_expr(x);
}

/// The number of elements that a reduction over the mask takes in, as a rank-0 node.
constexpr int count_node(arena& g, element type, int x, unsigned mask) {
    size_ref n = 1;
    for (int i = 0; i < g[x].shape.rank; ++i)
        if ((mask >> i) & 1u) n = g.product(n, g[x].shape[i]);
    return g.size(type, n);
}

template <traced X> constexpr void check_number() {
    static_assert(!std::is_same_v<element_in<X>, bool>, "croton: this reduction does not take bool; convert with cast<float>(x) or cast<int>(x)");
}

}  // namespace detail

/// The sum over the named axes, or over all. Bools and integers are summed as int64; floats in blocks, so that the error
/// grows with the logarithm of the length.
template <int... Axes, traced X> constexpr auto sum(const X& x, keepdims_t) {
    return detail::reduce_keep<reduction::sum, Axes...>(detail::widen(x));
}
template <int... Axes, traced X> constexpr auto sum(const X& x) { return detail::without_axes<Axes...>(sum<Axes...>(x, keepdims)); }

/// The product over the named axes, or over all.
template <int... Axes, traced X> constexpr auto prod(const X& x, keepdims_t) {
    return detail::reduce_keep<reduction::prod, Axes...>(detail::widen(x));
}
template <int... Axes, traced X> constexpr auto prod(const X& x) { return detail::without_axes<Axes...>(prod<Axes...>(x, keepdims)); }

/// The largest element over the named axes, or over all; NaN if there is one. An empty axis is a `shape_error` at the call.
/// Equal largest elements share the cotangent.
template <int... Axes, traced X> constexpr auto max(const X& x, keepdims_t) {
    detail::check_number<X>();
    return detail::reduce_keep<reduction::max, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto max(const X& x) { return detail::without_axes<Axes...>(max<Axes...>(x, keepdims)); }

/// The smallest element over the named axes, or over all; NaN if there is one. An empty axis is a `shape_error` at the call.
template <int... Axes, traced X> constexpr auto min(const X& x, keepdims_t) {
    detail::check_number<X>();
    return detail::reduce_keep<reduction::min, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto min(const X& x) { return detail::without_axes<Axes...>(min<Axes...>(x, keepdims)); }

/// Whether all, or any, elements over the named axes hold.
template <int... Axes, traced X> constexpr auto all(const X& x, keepdims_t) {
    static_assert(std::is_same_v<detail::element_in<X>, bool>, "croton: all takes bool; compare first, as in x > 0");
    return detail::reduce_keep<reduction::all, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto all(const X& x) { return detail::without_axes<Axes...>(all<Axes...>(x, keepdims)); }
template <int... Axes, traced X> constexpr auto any(const X& x, keepdims_t) {
    static_assert(std::is_same_v<detail::element_in<X>, bool>, "croton: any takes bool; compare first, as in x > 0");
    return detail::reduce_keep<reduction::any, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto any(const X& x) { return detail::without_axes<Axes...>(any<Axes...>(x, keepdims)); }

/// The mean over the named axes, or over all; of an empty axis it is NaN.
template <int... Axes, traced X> constexpr auto mean(const X& x, keepdims_t) {
    using T = detail::element_in<X>;
    static_assert(std::is_floating_point_v<T>, "croton: mean takes float or double; convert with cast<float>(x)");
    constexpr unsigned mask = detail::checked_mask<detail::rank_of<X>, Axes...>();
    const expr<T, 0> n{x.graph, detail::count_node(*x.graph, element_of<T>, x.id, mask)};
    return sum<Axes...>(x, keepdims) / n;
}
template <int... Axes, traced X> constexpr auto mean(const X& x) { return detail::without_axes<Axes...>(mean<Axes...>(x, keepdims)); }

namespace detail {

/// The first position of the extreme element: the smallest index at which x equals it, or at which x is NaN.
template <class Reduction, int... Axes, traced X> constexpr auto first_position(const X& x) {
    constexpr int rank = rank_of<X>;
    constexpr unsigned mask = checked_mask<rank, Axes...>();
    arena& g = *x.graph;
    int index = -1;
    size_ref stride = 1;
    for (int axis = rank - 1; axis >= 0; --axis)
        if ((mask >> axis) & 1u) {
            const size_ref n = g[x.id].shape[axis];
            int along = insert_axes(g, g.arange(element::int64, n), ((1u << rank) - 1) & ~(1u << axis), rank);
            if (g.find(stride) != 1) along = g.apply(code<op::multiply>, along, g.size(element::int64, stride));
            index = index < 0 ? along : g.apply(code<op::add>, along, index);
            stride = g.product(stride, n);
        }
    if (index < 0) index = g.literal(element::int64, 0);
    const auto extreme = reduce_keep<Reduction, Axes...>(x);
    const auto hit = (x == extreme) | (x != x);
    const expr<std::int64_t, rank> at{x.graph, g.apply(code<op::where>, hit.id, index, g.size(element::int64, stride))};
    return without_axes<Axes...>(reduce_keep<reduction::min, Axes...>(at));
}

}  // namespace detail

/// The position of the largest element along the axes (row-major over several, or over all): the first one, or the first
/// NaN. It has no gradient.
template <int... Axes, traced X> constexpr auto argmax(const X& x) {
    detail::check_number<X>();
    return detail::first_position<reduction::max, Axes...>(x);
}

/// The position of the smallest element along the axes; otherwise as `argmax`.
template <int... Axes, traced X> constexpr auto argmin(const X& x) {
    detail::check_number<X>();
    return detail::first_position<reduction::min, Axes...>(x);
}

}  // namespace croton::inline v0_1

#endif
