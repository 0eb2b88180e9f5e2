// SPDX-License-Identifier: MIT
// Functions along one axis whose result has that axis still: cumulative sums and their kin, sorting.
#ifndef CROTON_OPS_ALONG_HPP
#define CROTON_OPS_ALONG_HPP

#include <tuple>

#include <croton/graph/structure/cumulate.hpp>
#include <croton/graph/structure/sort.hpp>
#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// The one axis that is named, from the front; that of a vector need not be.
template <class X, int... Axis> constexpr int axis_along(const X& x) {
    constexpr int rank = rank_of<X>;
    static_assert(sizeof...(Axis) == 1 || (sizeof...(Axis) == 0 && rank == 1),
                  "croton: a function along an axis names one, as in sort<0>(x); only that of a vector need not be named");
    if constexpr (sizeof...(Axis) == 0 && rank == 1) {
        return 0;
    } else if constexpr (sizeof...(Axis) != 1) {
        x.graph->stopped = true;
        return 0;
    } else {
        if constexpr (!axes_fit<rank, Axis...>) x.graph->stopped = true;
        const unsigned mask = checked_mask<rank, Axis...>();
        int axis = 0;
        while (axis < rank && (mask >> axis & 1u) == 0) ++axis;
        return axis < rank ? axis : 0;
    }
}

template <class X> constexpr void check_floating(const X& x) {
    static_assert(std::is_floating_point_v<number_in<X>>, "croton: logcumsumexp takes float or double; convert with cast<float>(x)");
    if constexpr (!std::is_floating_point_v<number_in<X>>) x.graph->stopped = true;
}

template <class Rule, class X> using cumulated_in = std::conditional_t<std::is_integral_v<element_in<X>> && Rule::wraps, widened<element_in<X>>, number_in<X>>;

template <class Rule, int... Axis, traced X> constexpr auto cumulated(const X& x) {
    const int axis = axis_along<X, Axis...>(x);
    using cumulate = detail::structure::cumulate;
    return expr<cumulated_in<Rule, X>, rank_of<X>>{x.graph, cumulate::of(*x.graph, cumulate::rule<Rule>, axis, 0, read_node(x))};
}
/// Without an axis, of all elements in row-major order.
template <class Rule, int... Axis, traced X> constexpr auto cumulated_or_flat(const X& x) {
    if constexpr (sizeof...(Axis) == 0) return cumulated<Rule>(flatten(x));
    else return cumulated<Rule, Axis...>(x);
}

template <traced A, traced B> constexpr void check_searched(const A& sorted, const B&) {
    constexpr bool ranks = rank_of<A> == 1, types = std::is_same_v<number_in<A>, number_in<B>>;
    static_assert(ranks, "croton: searchsorted, digitize and interp look for places in a vector");
    static_assert(types, "croton: searchsorted, digitize, isin and interp compare numbers of one element type; convert one side with cast<T>(x)");
    if constexpr (!ranks || !types) sorted.graph->stopped = true;
}

}  // namespace detail

/// The sums of the elements up to each along an axis: NumPy's `cumsum`. The result has the shape of `x`; without an axis it is a vector, of all elements in row-major order. Bools and integers are summed as int64, unsigned ones as uint64; floats
/// one after the other, in their own type.
template <int... Axis, traced X> constexpr auto cumsum(const X& x) { return detail::cumulated_or_flat<kernel::cumulated::sum, Axis...>(x); }

/// The products of the elements up to each along an axis, or of all elements, as `cumsum`: NumPy's `cumprod`. Its gradient needs no division: elements that are 0 have theirs.
template <int... Axis, traced X> constexpr auto cumprod(const X& x) { return detail::cumulated_or_flat<kernel::cumulated::product, Axis...>(x); }

/// The largest of the elements up to each along an axis, in their own type: NumPy's `maximum.accumulate`, PyTorch's `cummax`. Behind a NaN all are NaN. A cotangent goes to the
/// element that was the largest, the last one of equals.
template <int... Axis, traced X> constexpr auto cummax(const X& x) {
    detail::check_number(x);
    return detail::cumulated<kernel::cumulated::maximum, Axis...>(x);
}
/// The smallest, NumPy's `minimum.accumulate`; otherwise as `cummax`.
template <int... Axis, traced X> constexpr auto cummin(const X& x) {
    detail::check_number(x);
    return detail::cumulated<kernel::cumulated::minimum, Axis...>(x);
}

/// log(e^x_0 + ... + e^x_k) along an axis, which overflows only where the result does: PyTorch's `logcumsumexp`.
template <int... Axis, traced X> constexpr auto logcumsumexp(const X& x) {
    detail::check_floating(x);
    return detail::cumulated<kernel::cumulated::log_sum, Axis...>(x);
}

/// The elements along an axis in order, the smallest first and NaN last: NumPy's `sort`. The result has the shape of `x`. Each cotangent goes
/// back to the element that it belongs to; of equal ones the first is first.
template <int... Axis, traced X> constexpr auto sort(const X& x) {
    const int axis = detail::axis_along<X, Axis...>(x);
    return expr<detail::number_in<X>, detail::rank_of<X>>{x.graph, detail::structure::sort::of(*x.graph, axis, detail::read_node(x))};
}

/// Where the elements of `sort` lie along the axis, as int64: NumPy's `argsort` with `kind="stable"`. It has no gradient.
template <int... Axis, traced X> constexpr auto argsort(const X& x) {
    const int axis = detail::axis_along<X, Axis...>(x);
    return expr<std::int64_t, detail::rank_of<X>>{x.graph, detail::structure::argsort::of(*x.graph, axis, detail::read_node(x))};
}

/// The `K` largest elements along an axis, the largest first and NaN behind all numbers, and where they lie, as int64; of equal ones the first is first.
/// `auto [values, places] = topk<5>(x)`: PyTorch's `topk`. Fewer elements than `K` are a `shape_error` at the call.
template <int K, int... Axis, traced X> constexpr auto topk(const X& x) {
    static_assert(K > 0, "croton: topk takes one element or more");
    const int axis = detail::axis_along<X, Axis...>(x);
    if constexpr (K <= 0) x.graph->stopped = true;
    const int from = detail::read_node(x), places = detail::structure::topk::of(*x.graph, axis, K, from);
    constexpr int rank = detail::rank_of<X>;
    return std::tuple(expr<detail::number_in<X>, rank>{x.graph, detail::structure::gather::of(*x.graph, from, places, axis, true)},
                      expr<std::int64_t, rank>{x.graph, places});
}

/// Which side of its equals a place is on.
enum class side { left, right };

/// For each element the place in `sorted`, a vector, where it would have to be put so that the vector stays sorted: before its equals, or behind them
/// with `searchsorted<side::right>(sorted, x)`. NumPy's `searchsorted`: the result is int64, in the shape of `x`. It has no gradient.
template <side Side = side::left, traced A, traced X> constexpr auto searchsorted(const A& sorted, const X& x) {
    detail::check_searched(sorted, x);
    using structure = detail::structure::searchsorted;
    return expr<std::int64_t, detail::rank_of<X>>{
        x.graph, structure::of(*x.graph, Side == side::right ? kernel::search::right : 0, detail::read_node(sorted), detail::read_node(x))};
}

}  // namespace croton::inline v0_1

#endif
