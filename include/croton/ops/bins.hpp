// SPDX-License-Identifier: MIT
// In which of several intervals elements lie, how many in each, and whether they are among others.
#ifndef CROTON_OPS_BINS_HPP
#define CROTON_OPS_BINS_HPP

#include <array>
#include <cstddef>
#include <utility>

#include <croton/ops/filled.hpp>
#include <croton/ops/quantile.hpp>
#include <croton/ops/scatter.hpp>

namespace croton::inline v0_1 {

/// The number of the interval between `edges`, a vector in ascending order, in which each element lies, from 0, before the first edge, to as many as there are edges: NumPy's `digitize(x, edges)`.
/// An interval has its left edge, with `digitize<side::right>(x, edges)` its right one, as NumPy's `right=True`. The result is int64, in the shape of `x`.
template <side Edge = side::left, traced X, traced E> constexpr auto digitize(const X& x, const E& edges) {
    return searchsorted<(Edge == side::left ? side::right : side::left)>(edges, x);
}

/// Whether each element is among the `values`, an array of any shape or a list, `isin(x, std::array{1, 2})`: NumPy's `isin`. NaN is not.
template <traced X, traced V> constexpr auto isin(const X& x, const V& values) {
    const auto sorted = sort(flatten(values));
    detail::check_searched(sorted, x);
    return expr<bool, detail::rank_of<X>>{x.graph, detail::structure::searchsorted::of(*x.graph, kernel::search::among, detail::read_node(sorted), detail::read_node(x))};
}
template <traced X, class V> requires detail::is_number_list<V>
constexpr auto isin(const X& x, const V& values) {
    return std::apply([&](const auto&... each) { return ((x == each) | ...); }, values);
}

/// Of values in braces, `isin(x, {1, 2})`: whole numbers beside an array of floats are such.
template <class X, detail::number T, std::size_t N> requires requires { std::remove_cvref_t<X>::rank; }
constexpr auto isin(X&& x, const T (&values)[N]) {
    if constexpr (std::is_integral_v<T> && requires { requires std::is_floating_point_v<typename std::remove_cvref_t<X>::value_type>; }) {
        std::array<typename std::remove_cvref_t<X>::value_type, N> floats{};
        for (std::size_t i = 0; i < N; ++i) floats[i] = static_cast<typename std::remove_cvref_t<X>::value_type>(values[i]);
        return isin(std::forward<X>(x), std::move(floats));
    } else {
        return isin(std::forward<X>(x), std::to_array(values));
    }
}

/// How many elements lie in each of `Bins` intervals of one width from `low` to `high`, as int64: NumPy's `histogram(x, Bins, (low, high))[0]`. An interval has its left edge, the last one its right edge,
/// too, and the edges are those of `linspace(low, high, Bins + 1)`. What lies outside is not counted, nor is NaN.
template <int Bins, traced X, detail::operand L, detail::operand H> constexpr auto histogram(const X& given, const L& low, const H& high) {
    constexpr bool fits = Bins > 0 && detail::rank_of_operand<L> == 0 && detail::rank_of_operand<H> == 0;
    static_assert(fits, "croton: histogram takes a number of bins, 1 or more, and from where to where they go, as in histogram<10>(x, 0, 1)");
    if constexpr (!fits) {
        given.graph->stopped = true;
        return expr<std::int64_t, 1>{given.graph, detail::structure::arange::of(*given.graph, element::int64, 1)};
    } else {
        using T = detail::number_in<X>;
        detail::arena& g = *given.graph;
        const auto number = [&](const auto& bound) {
            if constexpr (traced<decltype(bound)>) return cast<double>(bound);
            else return expr<double, 0>{&g, g.literal(element::float64, static_cast<double>(bound))};
        };
        if constexpr (detail::number<L> && detail::number<H>)
            if (!(static_cast<double>(low) < static_cast<double>(high)) && !g.failed()) g.error << "histogram: bins go up, from the lower number to the higher";
        // Edges are rounded to the type of the elements, as NumPy's are.
        const auto rounded = [](const auto& edge) {
            if constexpr (std::is_floating_point_v<T>) return cast<T>(edge);
            else return edge;
        };
        const auto first = number(low), last = number(high), width = (last - first) / Bins;
        const auto flat = flatten(given);
        const auto x = cast<std::conditional_t<std::is_floating_point_v<T>, T, double>>(flat);
        const auto place = clip(floor((cast<double>(flat) - first) / width), 0, Bins - 1);
        // A quotient may be off by one beside an edge.
        const auto bin = where(x < rounded(first + place * width), place - 1, where((place < Bins - 1) & (x >= rounded(first + (place + 1) * width)), place + 1, place));
        const auto inside = (x >= rounded(first)) & (x <= rounded(last));
        return segment_sum<Bins>(cast<std::int64_t>(inside), cast<std::int64_t>(where(inside, bin, 0)));
    }
}

}  // namespace croton::inline v0_1

#endif
