// SPDX-License-Identifier: MIT
// Arrays of one number and of evenly spaced ones. They are never stored: whoever reads one computes it.
#ifndef CROTON_OPS_FILLED_HPP
#define CROTON_OPS_FILLED_HPP

#include <array>
#include <tuple>

#include <croton/ops/functions.hpp>
#include <croton/ops/shape.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <extent_code... Extents, traced X> constexpr bool check_extents(const X& x) {
    constexpr bool fits = sizeof...(Extents) <= max_rank && ((is_extent(Extents) && Extents != dynamic) && ...);
    static_assert(fits, "croton: an array is made with a number or dim(\"name\") for each of its axes, 8 at most, as in zeros<10, dim(\"n\")>(x)");
    if constexpr (!fits) x.graph->stopped = true;
    return fits;
}

/// One number, repeated to a shape.
template <class T, int Rank, operand V> constexpr expr<T, Rank> filled(arena& g, const shape& to, const V& value) {
    if constexpr (traced<V>) static_assert(rank_of<V> == 0, "croton: an array is filled with one number, of rank 0");
    return {&g, structure::broadcast::of(g, argument_node<T>(g, value), to)};
}

/// 0, 1, 2, ... along axis `axis` of `rank` axes.
constexpr int index_along(arena& g, element type, size_ref extent, int axis, int rank) {
    return insert_axes(g, structure::arange::of(g, type, extent), ((1u << rank) - 1) & ~(1u << axis), rank);
}

/// The indices as numbers of `T`.
template <class T> constexpr expr<T, 1> counted(arena& g, size_ref extent) {
    using I = std::conditional_t<std::is_floating_point_v<T> || std::is_same_v<T, bool>, std::int64_t, T>;
    return {&g, structure::cast::of(g, element_of<T>, structure::arange::of(g, element_of<I>, extent))};
}

}  // namespace detail

/// An array of the shape and the element type of `x` that holds `value` everywhere, a number or an expression of rank 0: NumPy's `full_like`.
template <traced X, detail::operand V> constexpr auto full_like(const X& x, const V& value) {
    return detail::filled<detail::number_in<X>, detail::rank_of<X>>(*x.graph, (*x.graph)[x.id].shape, value);
}
template <traced X> constexpr auto zeros_like(const X& x) { return full_like(x, detail::number_in<X>(0)); }
template <traced X> constexpr auto ones_like(const X& x) { return full_like(x, detail::number_in<X>(1)); }

/// An array of these extents, numbers or `dim("name")`, of the element type of `x`, that holds `value` everywhere: `full<3, dim("n")>(x, 0.5)`. Its
/// values do not depend on `x`, as those of PyTorch's `x.new_full` do not.
template <extent_code... Extents, traced X, detail::operand V> constexpr auto full(const X& x, const V& value) {
    detail::shape to;
    to.rank = sizeof...(Extents);
    if (detail::check_extents<Extents...>(x)) {
        int i = 0;
        ((to[i++] = detail::declared_size(*x.graph, Extents)), ...);
    }
    return detail::filled<detail::number_in<X>, sizeof...(Extents)>(*x.graph, to, value);
}
template <extent_code... Extents, traced X> constexpr auto zeros(const X& x) { return full<Extents...>(x, detail::number_in<X>(0)); }
template <extent_code... Extents, traced X> constexpr auto ones(const X& x) { return full<Extents...>(x, detail::number_in<X>(1)); }

/// start, start + step, ...: as many as `Extent`, a number or `dim("name")`, of the element type of `x`: `arange<10>(x)`, `arange<dim("n")>(x, 1, 2)`. Start
/// and step are numbers or expressions of rank 0; the values do not depend on `x`.
template <extent_code Extent, traced X, detail::operand A = int, detail::operand B = int> constexpr auto arange(const X& x, const A& start = 0, const B& step = 1) {
    using T = detail::number_in<X>;
    static_assert(!std::is_same_v<T, bool>, "croton: arange makes numbers; give it an array of numbers, as in arange<10>(cast<int>(x))");
    detail::arena& g = *x.graph;
    const auto index = detail::counted<T>(g, detail::check_extents<Extent>(x) ? detail::declared_size(g, Extent) : 1);
    if constexpr (std::is_same_v<T, bool>) g.stopped = true;
    if constexpr (std::is_same_v<T, bool>) return index;
    else return index * expr<T, 0>{&g, detail::argument_node<T>(g, step)} + expr<T, 0>{&g, detail::argument_node<T>(g, start)};
}

/// 0, 1, ..., n - 1, of int64, for the extent of an array: `arange(x.extent(0))`, NumPy's `np.arange(x.shape[0])`. An `n` that is computed otherwise is an error while compiling: how many
/// numbers there are must be known before anything is computed.
constexpr expr<std::int64_t, 1> arange(const expr<std::int64_t, 0>& n) {
    detail::arena& g = *n.graph;
    const detail::node& extent = g[n.id];
    const bool known = extent.what == detail::tag<detail::structure::size> || (extent.what == detail::tag<detail::structure::literal> && extent.bits >= 0);
    if (!known && !g.failed()) g.error << "arange counts up to an extent, as in arange(x.extent(0)), or to a number in angle brackets, as in arange<10>(x): a computed number is known too late";
    return detail::counted<std::int64_t>(g, known ? detail::size_ref{extent.bits} : 1);
}

/// `Count` evenly spaced numbers from `start` to `stop`, both among them: NumPy's `linspace`. One of the two at least is an expression; both have rank 0.
template <int Count, detail::operand A, detail::operand B>
    requires detail::some_traced<A, B>
constexpr auto linspace(const A& start, const B& stop) {
    const auto first = detail::lead(start, stop);
    using T = typename decltype(detail::lead(start, stop))::element;
    static_assert(Count > 0 && std::is_floating_point_v<T>, "croton: linspace makes one number or more, of float or double");
    if constexpr (Count <= 0 || !std::is_floating_point_v<T>) first.graph->stopped = true;
    detail::arena& g = *first.graph;
    const expr<T, 0> low{&g, detail::argument_node<T>(g, start)}, high{&g, detail::argument_node<T>(g, stop)};
    const auto index = detail::counted<T>(g, Count > 0 ? Count : 1);
    // The last one is `stop`, and no sum that comes near it.
    return where(index == T(Count > 1 ? Count - 1 : 1), high, low + index * ((high - low) / T(Count > 1 ? Count - 1 : 1)));
}

/// `Count` numbers from base^start to base^stop, whose exponents are evenly spaced: NumPy's `logspace`. Otherwise as `linspace`.
template <int Count, detail::operand A, detail::operand B, detail::operand E = int>
    requires detail::some_traced<A, B>
constexpr auto logspace(const A& start, const B& stop, const E& base = 10) {
    return pow(base, linspace<Count>(start, stop));
}
/// `Count` numbers from `start` to `stop`, both among them, each the one before it times the same: NumPy's `geomspace`. Both are above 0, or both below it; NaN otherwise. Otherwise as `linspace`.
template <int Count, detail::operand A, detail::operand B>
    requires detail::some_traced<A, B>
constexpr auto geomspace(const A& start, const B& stop) {
    const auto first = detail::lead(start, stop);
    using T = typename decltype(detail::lead(start, stop))::element;
    detail::arena& g = *first.graph;
    const expr<T, 0> low{&g, detail::argument_node<T>(g, start)}, high{&g, detail::argument_node<T>(g, stop)};
    const auto between = sign(low) * logspace<Count>(log10(low * sign(high)), log10(high * sign(low)));
    const auto index = detail::counted<T>(g, Count > 0 ? Count : 1);
    return where(index == 0, low, where(index == T(Count - 1), high, between));
}

/// Two vectors as what varies along the columns and along the rows of a matrix: NumPy's `meshgrid(x, y)`. [n] and [m] -> [m,n] twice.
template <traced X, traced Y> constexpr auto meshgrid(const X& x, const Y& y) {
    constexpr bool fits = detail::rank_of<X> == 1 && detail::rank_of<Y> == 1;
    static_assert(fits, "croton: meshgrid takes two vectors");
    detail::arena& g = *x.graph;
    detail::shape to;
    to.rank = 2;
    if constexpr (fits) {
        to[0] = g[y.id].shape[0];
        to[1] = g[x.id].shape[0];
    } else {
        g.stopped = true;
    }
    const auto spread = [&]<traced V>(const V& v, int axis) {
        const int node = fits ? detail::insert_axes(g, detail::read_node(v), 1u << (1 - axis), 2) : v.id;
        return expr<detail::number_in<V>, 2>{&g, fits ? detail::structure::broadcast::of(g, node, to) : node};
    };
    if constexpr (std::same_as<detail::number_in<X>, detail::number_in<Y>>) return std::array{spread(x, 1), spread(y, 0)};
    else return std::tuple(spread(x, 1), spread(y, 0));
}

}  // namespace croton::inline v0_1

#endif
