// SPDX-License-Identifier: MIT
// Functions that change the shape and not the elements: views cost nothing, a reshape only a check.
#ifndef CROTON_OPS_SHAPE_HPP
#define CROTON_OPS_SHAPE_HPP

#include <croton/ops/reduce.hpp>

namespace croton::inline v0_1 {

/// The axes in another order: reversed, or `transpose<1, 0, 2>(x)`. [a,b] -> [b,a]
template <int... Axes, traced X> constexpr auto transpose(const X& x) {
    constexpr int rank = detail::rank_of<X>;
    constexpr bool fits = detail::axes_order<rank, Axes...>;
    static_assert(fits, "croton: transpose names every axis of its argument once, or none");
    std::array<int, max_rank> source{};
    if constexpr (!fits) {
        x.graph->stopped = true;
    } else if constexpr (sizeof...(Axes) == 0) {
        for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = rank - 1 - i;
    } else {
        int i = 0;
        ((source[static_cast<unsigned>(i++)] = Axes < 0 ? Axes + rank : Axes), ...);
    }
    return expr<detail::element_in<X>, rank>{x.graph, detail::structure::view::of(*x.graph, x.id, rank, source)};
}

/// Two axes exchanged: NumPy's `swapaxes`. Negative ones count from the end.
template <int A, int B, traced X> constexpr auto swapaxes(const X& x) {
    constexpr int rank = detail::rank_of<X>, a = A < 0 ? A + rank : A, b = B < 0 ? B + rank : B;
    (void)detail::checked_mask<rank, A>();
    (void)detail::checked_mask<rank, B>();
    std::array<int, max_rank> source{};
    for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i == a ? b : i == b ? a : i;
    if constexpr (!detail::axes_fit<rank, A> || !detail::axes_fit<rank, B>) x.graph->stopped = true;
    else return expr<detail::element_in<X>, rank>{x.graph, detail::structure::view::of(*x.graph, x.id, rank, source)};
    return detail::as_expr(x);
}

/// Axis `From` in place `To`, the others in their order: NumPy's `moveaxis`. Negative ones count from the end.
template <int From, int To, traced X> constexpr auto moveaxis(const X& x) {
    constexpr int rank = detail::rank_of<X>, from = From < 0 ? From + rank : From, to = To < 0 ? To + rank : To;
    (void)detail::checked_mask<rank, From>();
    (void)detail::checked_mask<rank, To>();
    std::array<int, max_rank> source{};
    for (int i = 0, next = 0; i < rank; ++i) {
        if (next == from) ++next;
        source[static_cast<unsigned>(i)] = i == to ? from : next++;
    }
    if constexpr (!detail::axes_fit<rank, From> || !detail::axes_fit<rank, To>) x.graph->stopped = true;
    else return expr<detail::element_in<X>, rank>{x.graph, detail::structure::view::of(*x.graph, x.id, rank, source)};
    return detail::as_expr(x);
}

/// New axes of extent 1 at these positions of the result: `newaxis<1>(v)` makes [n] a column [n,1], `newaxis<1, 2>(b)` [c] to [c,1,1].
template <int... Axes, traced X> constexpr auto newaxis(const X& x) {
    constexpr int rank = detail::rank_of<X> + static_cast<int>(sizeof...(Axes));
    constexpr bool names = sizeof...(Axes) > 0 && detail::axes_fit<rank, Axes...>;
    static_assert(names, "croton: newaxis names a position that the result does not have, or one twice, or none");
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    if constexpr (!names || rank > max_rank) {
        x.graph->stopped = true;
        return detail::as_expr(x);
    } else {
        return expr<detail::element_in<X>, rank>{x.graph, detail::insert_axes(*x.graph, x.id, detail::axis_list<rank, Axes...>().mask, rank)};
    }
}

/// NumPy's name for `newaxis<Axes...>(x)`.
template <int... Axes, traced X> constexpr auto expand_dims(const X& x) { return newaxis<Axes...>(x); }

namespace detail {

/// Of what only the call knows, and has no name that says of how many things there may be several, the call sees to it.
constexpr void must_be_one(arena& g, int x, unsigned mask) {
    for (int i = 0; i < g[x].shape.rank; ++i) {
        const size_ref n = g.find(g[x].shape[i]);
        if (((mask >> i) & 1u) == 0 || n == 1 || g.failed()) continue;
        if (n < 0 && !is_named(g.sizes[g.index_of(n)].declared) && g.unify(n, 1, tie::squeeze)) continue;
        g.error << "squeeze: axis " << i << " of ";
        g.describe(g.error, x);
        g.error << " has extent ";
        g.describe_size(g.error, n);
        g.error << "; only an extent of 1 can be dropped";
    }
}

/// The size that an extent of `reshape` or `broadcast_to` stands for.
constexpr size_ref declared_size(arena& g, extent_code e) {
    if (e >= 0) return e;
    for (int i = 0; i < g.sizes.size(); ++i)
        if (g.sizes[i].declared == e) return g.find(-1 - i);
    if (!g.failed() && e == no_name) {
        g.error << "a name in dim has 1 to 10 letters, digits or underscores";
    } else if (!g.failed()) {
        char letters[name_length_limit]{};
        const int length = unpack_name(e, letters);
        g.error << "no parameter has an extent named \"" << std::string_view(letters, static_cast<std::size_t>(length)) << "\"";
    }
    return 1;
}

}  // namespace detail

/// The argument without the named axes, which have extent 1: an extent that only the call knows is a `shape_error` there if it is another, one with a name an error while compiling.
template <int... Axes, traced X> constexpr auto squeeze(const X& x) {
    static_assert(sizeof...(Axes) > 0, "croton: squeeze names the axes it drops, as in squeeze<0>(x)");
    if constexpr (sizeof...(Axes) == 0) x.graph->stopped = true;
    detail::must_be_one(*x.graph, x.id, detail::checked_mask<detail::rank_of<X>, Axes...>());
    return detail::without_axes<Axes...>(x);
}

/// The same elements in row-major order with other extents: numbers, `dim("name")`, and at most one `dynamic`, which is what
/// remains. `reshape<dynamic, 784>(x)`. Sizes that do not fit are a compile-time error or a `shape_error`.
template <extent_code... Extents, traced X> constexpr auto reshape(const X& x) {
    constexpr int rank = sizeof...(Extents);
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    static_assert((0 + ... + (Extents == dynamic ? 1 : 0)) <= 1, "croton: reshape leaves at most one extent dynamic");
    static_assert((is_extent(Extents) && ...), "croton: an extent is a number of elements, dim(\"name\") or dynamic; other negative numbers are none");
    detail::arena& g = *x.graph;
    if constexpr (rank > max_rank || !(is_extent(Extents) && ...)) {
        g.stopped = true;
        return detail::as_expr(x);
    } else {
        if constexpr ((0 + ... + (Extents == dynamic ? 1 : 0)) > 1) g.stopped = true;
        detail::size_ref total = 1, known = 1;
        for (int i = 0; i < g[x.id].shape.rank; ++i) total = g.product(total, g[x.id].shape[i]);
        detail::shape to;
        to.rank = rank;
        const extent_code extents[] = {Extents..., 0};
        for (int i = 0; i < rank; ++i)
            if (extents[i] != dynamic) {
                to[i] = detail::declared_size(g, extents[i]);
                known = g.product(known, to[i]);
            }
        bool fits = true;
        bool inferred = false;
        for (int i = 0; i < rank; ++i)
            if (extents[i] == dynamic) {
                inferred = true;
                fits = !(total >= 0 && known >= 0) || (known != 0 && total % known == 0);
                to[i] = fits ? g.quotient(total, known) : 1;
            }
        if (!inferred) fits = g.unify(total, known, detail::tie::reshape);
        if (!fits && !g.failed()) {
            g.error << "reshape: ";
            g.describe(g.error, x.id);
            g.error << " has ";
            g.describe_size(g.error, total);
            g.error << " elements, which do not fit extents of ";
            g.describe_size(g.error, known);
        }
        return expr<detail::element_in<X>, rank>{x.graph, detail::structure::reshape::of(g, x.id, to)};
    }
}

/// All elements in one axis, row-major.
template <traced X> constexpr auto flatten(const X& x) { return reshape<dynamic>(x); }

/// The argument repeated to these extents by NumPy's rule.
template <extent_code... Extents, traced X> constexpr auto broadcast_to(const X& x) {
    constexpr int rank = sizeof...(Extents);
    constexpr bool fits = rank >= detail::rank_of<X> && ((Extents != dynamic && is_extent(Extents)) && ...);
    static_assert((is_extent(Extents) && ...), "croton: an extent is a number of elements, dim(\"name\") or dynamic; other negative numbers are none");
    static_assert(rank >= detail::rank_of<X>, "croton: broadcast_to does not lower the rank");
    static_assert(((Extents != dynamic) && ...), "croton: broadcast_to needs a number or a name for every extent");
    detail::arena& g = *x.graph;
    if constexpr (!fits) g.stopped = true;
    detail::shape to;
    to.rank = rank;
    const extent_code extents[] = {Extents..., 0};
    for (int i = 0; i < rank; ++i) {
        to[i] = detail::declared_size(g, extents[i]);
        const int from = i - (rank - detail::rank_of<X>);
        if (from < 0 || g.find(g[x.id].shape[from]) == 1) continue;
        if (!g.unify(to[i], g[x.id].shape[from], detail::tie::broadcast) && !g.failed()) {
            g.error << "broadcast_to: axis " << from << " of ";
            g.describe(g.error, x.id);
            g.error << " has extent ";
            g.describe_size(g.error, g[x.id].shape[from]);
            g.error << ", which is not repeated to ";
            g.describe_size(g.error, to[i]);
        }
    }
    return expr<detail::element_in<X>, rank>{x.graph, detail::structure::broadcast::of(g, x.id, to)};
}

}  // namespace croton::inline v0_1

#endif
