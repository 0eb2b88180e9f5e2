// SPDX-License-Identifier: MIT
// Reductions over any axes, with and without keeping them.
#ifndef CROTON_OPS_REDUCE_HPP
#define CROTON_OPS_REDUCE_HPP

#include <croton/core/axis_list.hpp>
#include <croton/ops/activations.hpp>
#include <croton/ops/bits.hpp>
#include <croton/ops/rounding.hpp>

namespace croton::inline v0_1 {

/// Passed as the last argument, the reduced axes stay with extent 1: `sum<1>(x, keepdims)`.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

namespace detail {

template <int Rank, int... Axes> struct wrong_axis {
    static constexpr void say(text_builder& text) {
        constexpr axis_list<Rank, Axes...> list;
        if (list.twice) text << "axis " << list.wrong << " is named twice";
        else text << "there is no axis " << list.wrong << ": the argument has " << Rank << (Rank == 1 ? " axis" : " axes");
    }
};

/// The mask; nothing where the axes do not fit, and then the compiler has said so.
template <int Rank, int... Axes> constexpr unsigned checked_mask() {
    if constexpr (!axes_fit<Rank, Axes...>) sentence_of<wrong_axis<Rank, Axes...>>();
    return axis_list<Rank, Axes...>().mask;
}

/// The axes of `x` that are not in the mask, as a view without the others (which have extent 1).
constexpr int drop_axes(arena& g, int x, unsigned mask) {
    std::array<int, max_rank> source{};
    int rank = 0;
    for (int i = 0; i < g[x].shape.rank; ++i)
        if (((mask >> i) & 1u) == 0) source[static_cast<unsigned>(rank++)] = i;
    return detail::structure::view::of(g, x, rank, source);
}

/// `x` with new axes of extent 1 at the axes of the mask: the inverse of `drop_axes`.
constexpr int insert_axes(arena& g, int x, unsigned mask, int rank) {
    std::array<int, max_rank> source{};
    int from = 0;
    for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = ((mask >> i) & 1u) != 0 ? new_axis : from++;
    return detail::structure::view::of(g, x, rank, source);
}

constexpr int count_axes(unsigned mask) {
    int count = 0;
    for (; mask != 0; mask &= mask - 1) ++count;
    return count;
}

template <class Reduction, int... Axes, traced X> constexpr auto reduce_keep(const X& x) {
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    if constexpr (!axes_fit<rank_of<X>, Axes...>) x.graph->stopped = true;
    return expr<number_in<X>, rank_of<X>>{x.graph, detail::structure::reduce::of(*x.graph, reduction_code<Reduction>, mask, read_node(x))};
}

template <int... Axes, traced X> constexpr auto without_axes(const X& x) {
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    if constexpr (!axes_fit<rank_of<X>, Axes...>) x.graph->stopped = true;
    return expr<element_in<X>, rank_of<X> - count_axes(mask)>{x.graph, drop_axes(*x.graph, x.id, mask)};
}

/// NumPy sums bools and integers in 64 bits, unsigned ones in uint64.
template <class T> using widened = std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, std::uint64_t, std::int64_t>;
template <traced X> constexpr auto widen(const X& x) {
    if constexpr (std::is_integral_v<element_in<X>>) return cast<widened<element_in<X>>>(x);
    else return as_number(x);
}

/// The number of elements that a reduction over the mask takes in, as a rank-0 node.
constexpr int count_node(arena& g, element type, int x, unsigned mask) {
    size_ref n = 1;
    for (int i = 0; i < g[x].shape.rank; ++i)
        if ((mask >> i) & 1u) n = g.product(n, g[x].shape[i]);
    return g.size(type, n);
}

template <traced X> constexpr void check_number(const X& x) {
    static_assert(!std::is_same_v<element_in<X>, bool>, "croton: max, min, argmax, argmin, cummax and cummin do not take bool; use any or all, or convert with cast<int>(x)");
    if constexpr (std::is_same_v<element_in<X>, bool>) x.graph->stopped = true;
}
template <traced X> constexpr void check_bool(const X& x) {
    static_assert(std::is_same_v<element_in<X>, bool>, "croton: all and any take bool; compare first, as in x > 0");
    if constexpr (!std::is_same_v<element_in<X>, bool>) x.graph->stopped = true;
}

}  // namespace detail

/// The sum over the named axes, or over all. Bools and integers are summed as int64, unsigned ones as uint64; floats in blocks, so that the error
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
    detail::check_number(x);
    return detail::reduce_keep<reduction::max, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto max(const X& x) { return detail::without_axes<Axes...>(max<Axes...>(x, keepdims)); }

/// The smallest element over the named axes, or over all; NaN if there is one. An empty axis is a `shape_error` at the call.
template <int... Axes, traced X> constexpr auto min(const X& x, keepdims_t) {
    detail::check_number(x);
    return detail::reduce_keep<reduction::min, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto min(const X& x) { return detail::without_axes<Axes...>(min<Axes...>(x, keepdims)); }

/// Whether all, or any, elements over the named axes hold.
template <int... Axes, traced X> constexpr auto all(const X& x, keepdims_t) {
    detail::check_bool(x);
    return detail::reduce_keep<reduction::all, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto all(const X& x) { return detail::without_axes<Axes...>(all<Axes...>(x, keepdims)); }
template <int... Axes, traced X> constexpr auto any(const X& x, keepdims_t) {
    detail::check_bool(x);
    return detail::reduce_keep<reduction::any, Axes...>(x);
}
template <int... Axes, traced X> constexpr auto any(const X& x) { return detail::without_axes<Axes...>(any<Axes...>(x, keepdims)); }

/// The mean over the named axes, or over all; of an empty axis it is NaN.
template <int... Axes, traced X> constexpr auto mean(const X& x, keepdims_t) {
    using T = detail::number_in<X>;
    static_assert(std::is_floating_point_v<T>, "croton: mean takes float or double; convert with cast<float>(x)");
    if constexpr (!std::is_floating_point_v<T>) {
        x.graph->stopped = true;
        return mean<Axes...>(cast<double>(x), keepdims);
    } else {
        constexpr unsigned mask = detail::checked_mask<detail::rank_of<X>, Axes...>();
        const expr<T, 0> n{x.graph, detail::count_node(*x.graph, element_of<T>, x.id, mask)};
        return sum<Axes...>(x, keepdims) / n;
    }
}
template <int... Axes, traced X> constexpr auto mean(const X& x) { return detail::without_axes<Axes...>(mean<Axes...>(x, keepdims)); }

/// Which of several equal elements is meant.
enum class ties { first, last };

namespace detail {

/// The position of the extreme element: the smallest, or largest, index at which x equals it, or at which x is NaN.
template <class Reduction, int... Axes, traced X> constexpr auto position(const X& read, ties which) {
    const auto x = as_number(read);
    constexpr int rank = rank_of<X>;
    constexpr unsigned mask = checked_mask<rank, Axes...>();
    arena& g = *x.graph;
    int index = -1;
    size_ref stride = 1;
    for (int axis = rank - 1; axis >= 0; --axis)
        if ((mask >> axis) & 1u) {
            const size_ref n = g[x.id].shape[axis];
            int along = insert_axes(g, detail::structure::arange::of(g, element::int64, n), ((1u << rank) - 1) & ~(1u << axis), rank);
            if (g.find(stride) != 1) along = g.apply(code<op::multiply>, along, g.size(element::int64, stride));
            index = index < 0 ? along : g.apply(code<op::add>, along, index);
            stride = g.product(stride, n);
        }
    if (index < 0) index = g.literal(element::int64, 0);
    const auto extreme = reduce_keep<Reduction, Axes...>(x);
    const auto found = (x == extreme) | (x != x);
    const int nowhere = which == ties::first ? g.size(element::int64, stride) : g.literal(element::int64, -1);
    const expr<std::int64_t, rank> at{x.graph, g.apply(code<op::where>, found.id, index, nowhere)};
    return which == ties::first ? reduce_keep<reduction::min, Axes...>(at) : reduce_keep<reduction::max, Axes...>(at);
}

}  // namespace detail

/// The position of the largest element along the axes (row-major over several, or over all): the first one, or the first
/// NaN; the last one with `argmax<0>(x, ties::last)`. It has no gradient.
template <int... Axes, traced X> constexpr auto argmax(const X& x, ties which, keepdims_t) {
    detail::check_number(x);
    return detail::position<reduction::max, Axes...>(x, which);
}
template <int... Axes, traced X> constexpr auto argmax(const X& x, keepdims_t) { return argmax<Axes...>(x, ties::first, keepdims); }
template <int... Axes, traced X> constexpr auto argmax(const X& x, ties which = ties::first) { return detail::without_axes<Axes...>(argmax<Axes...>(x, which, keepdims)); }

/// The position of the smallest element along the axes; otherwise as `argmax`.
template <int... Axes, traced X> constexpr auto argmin(const X& x, ties which, keepdims_t) {
    detail::check_number(x);
    return detail::position<reduction::min, Axes...>(x, which);
}
template <int... Axes, traced X> constexpr auto argmin(const X& x, keepdims_t) { return argmin<Axes...>(x, ties::first, keepdims); }
template <int... Axes, traced X> constexpr auto argmin(const X& x, ties which = ties::first) { return detail::without_axes<Axes...>(argmin<Axes...>(x, which, keepdims)); }

}  // namespace croton::inline v0_1

#endif
