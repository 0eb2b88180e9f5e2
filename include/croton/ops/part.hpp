// SPDX-License-Identifier: MIT
// What is written with slices again and again: pieces, mirrored axes, differences of neighbours.
#ifndef CROTON_OPS_PART_HPP
#define CROTON_OPS_PART_HPP

#include <array>

#include <croton/ops/join.hpp>

namespace croton::inline v0_1 {

/// `Pieces` parts of one extent along an axis, like NumPy's `split`: [6,n] -> three of [2,n] for `split<0, 3>(x)`. An extent that does not
/// divide is an error while compiling, or a `shape_error` where only the call knows it.
template <int Axis, int Pieces, traced X> constexpr auto split(const X& x) {
    static_assert(Pieces > 0, "croton: split says into how many parts, as in split<0, 3>(x)");
    constexpr int rank = detail::rank_of<X>, count = Pieces > 0 ? Pieces : 1;
    (void)detail::checked_mask<rank, Axis>();
    detail::arena& g = *x.graph;
    std::array<expr<detail::element_in<X>, rank>, static_cast<std::size_t>(count)> parts{};
    parts.fill(detail::as_expr(x));
    if constexpr (!detail::axes_fit<rank, Axis> || Pieces <= 0) {
        g.stopped = true;
    } else {
        constexpr int axis = detail::axis_from_front<rank, Axis>;
        const detail::size_ref n = g.find(g[x.id].shape[axis]);
        if (n >= 0 && n % Pieces != 0) {
            if (!g.failed()) {
                g.error << "split: axis " << axis << " of ";
                g.describe(g.error, x.id);
                g.error << " has extent " << n << ", which " << Pieces << " equal parts do not give";
            }
        } else {
            const detail::size_ref known = -1 - g.sizes.size(), extent = g.quotient(n, Pieces);
            if (extent == known) g.sizes.back().tied_by = detail::tie::split;
            for (int i = 0; i < Pieces; ++i) parts[static_cast<std::size_t>(i)].id = detail::run_of(g, x.id, axis, g.product(extent, i), extent);
        }
    }
    return parts;
}

/// Parts of these extents along an axis, one behind the other; together they are all of it: `split<0>(x, 2, 3)`, where `none` stands
/// once for what is left. Extents that do not add up are an error while compiling, or a `shape_error` where only the call knows them.
template <int Axis, traced X, class... Extent>
    requires(sizeof...(Extent) > 0 && ((std::integral<Extent> || std::same_as<Extent, none_t>) && ...))
constexpr auto split(const X& x, Extent... extents) {
    constexpr int rank = detail::rank_of<X>, open = (0 + ... + (std::same_as<Extent, none_t> ? 1 : 0));
    static_assert(open <= 1, "croton: what is left is one part: split takes none at most once");
    (void)detail::checked_mask<rank, Axis>();
    detail::arena& g = *x.graph;
    std::array<expr<detail::element_in<X>, rank>, sizeof...(Extent)> parts{};
    parts.fill(detail::as_expr(x));
    if constexpr (!detail::axes_fit<rank, Axis> || open > 1) {
        g.stopped = true;
    } else {
        constexpr int axis = detail::axis_from_front<rank, Axis>;
        const slice_end given[] = {extents...};
        detail::size_ref total = 0, n = g.find(g[x.id].shape[axis]), from = 0;
        bool fits = true;
        for (const slice_end& e : given) {
            if (e.given) total += e.at;
            fits = fits && e.at >= 0;
        }
        if (open == 0) fits = fits && g.unify(n, total, detail::tie::split);
        else fits = fits && g.demand(x.id, axis, n, total, total - 1, detail::demanded::index);
        if (!fits && !g.failed()) {
            g.error << "split: parts of " << total << " elements do not make up axis " << axis << " of ";
            g.describe(g.error, x.id);
            g.error << ", which has extent ";
            g.describe_size(g.error, n);
        }
        for (std::size_t i = 0; i < sizeof...(Extent); ++i) {
            const detail::size_ref extent = given[i].given ? given[i].at : g.difference(n, total);
            parts[i].id = detail::run_of(g, x.id, axis, from, extent);
            from = g.sum(from, extent);
        }
    }
    return parts;
}

/// The elements along the named axes, or all, in reverse order, like NumPy's `flip`.
template <int... Axes, traced X> constexpr auto flip(const X& x) {
    constexpr unsigned mask = detail::checked_mask<detail::rank_of<X>, Axes...>();
    if constexpr (!detail::axes_fit<detail::rank_of<X>, Axes...>) x.graph->stopped = true;
    detail::arena& g = *x.graph;
    int a = x.id;
    for (int axis = 0; axis < detail::rank_of<X>; ++axis)
        if ((mask >> axis) & 1u) a = detail::run_of(g, a, axis, g.difference(g[a].shape[axis], 1), g[a].shape[axis], -1);
    return expr<detail::element_in<X>, detail::rank_of<X>>{&g, a};
}

/// A quarter turn, `Times` times, in the plane of two axes, from the first towards the second, like NumPy's `rot90`: [m,n] -> [n,m].
template <int Times = 1, int First = 0, int Second = 1, traced X> constexpr auto rot90(const X& x) {
    constexpr int turns = (Times % 4 + 4) % 4;
    if constexpr (turns == 0) return detail::as_expr(x);
    else if constexpr (turns == 1) return flip<First>(swapaxes<First, Second>(x));
    else if constexpr (turns == 2) return flip<First, Second>(x);
    else return flip<Second>(swapaxes<First, Second>(x));
}

/// The differences of neighbours along an axis, `Times` times, like NumPy's `diff`: [n] -> [n - 1]. Of bools it is where they differ.
template <int Axis = -1, int Times = 1, traced X> constexpr auto diff(const X& x) {
    static_assert(Times >= 0, "croton: diff takes differences so many times, as in diff<0, 2>(x)");
    constexpr int rank = detail::rank_of<X>;
    (void)detail::checked_mask<rank, Axis>();
    auto d = detail::as_number(x);
    if constexpr (!detail::axes_fit<rank, Axis>) {
        x.graph->stopped = true;
    } else {
        constexpr int axis = detail::axis_from_front<rank, Axis>;
        detail::arena& g = *x.graph;
        for (int i = 0; i < Times; ++i) {
            const detail::size_ref n = g.difference(g[d.id].shape[axis], 1);
            const int next = detail::run_of(g, d.id, axis, 1, n), here = detail::run_of(g, d.id, axis, 0, n);
            d.id = std::same_as<detail::number_in<X>, bool> ? g.apply(detail::code<op::not_equal>, next, here)
                                                            : g.apply(detail::code<op::subtract>, next, here);
        }
    }
    return d;
}

}  // namespace croton::inline v0_1

#endif
