// SPDX-License-Identifier: MIT
// Medians and quantiles: elements of the sorted axis, and what lies between them.
#ifndef CROTON_OPS_QUANTILE_HPP
#define CROTON_OPS_QUANTILE_HPP

#include <croton/ops/along.hpp>
#include <croton/ops/statistics.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// The axes of the mask as one, the last.
template <unsigned Mask, traced X> constexpr auto axes_last(const X& x) {
    constexpr int rank = rank_of<X>, kept = rank - count_axes(Mask);
    arena& g = *x.graph;
    std::array<int, max_rank> source{};
    shape to;
    to.rank = kept + 1;
    size_ref n = 1;
    for (int i = 0, front = 0, back = kept; i < rank; ++i) {
        const bool taken = (Mask >> i & 1u) != 0;
        source[static_cast<unsigned>(taken ? back++ : front)] = i;
        if (taken) n = g.product(n, g[x.id].shape[i]);
        else to[front++] = g[x.id].shape[i];
    }
    to[kept] = n;
    return expr<number_in<X>, kept + 1>{&g, structure::reshape::of(g, structure::view::of(g, read_node(x), rank, source), to)};
}

/// The elements of the last axis at one place, or at one of its own for each of the others.
template <traced X, traced P> constexpr auto at_place(const X& sorted, const P& place) {
    if constexpr (rank_of<P> == 0) return take<-1>(sorted, place);
    else return without_axes<-1>(take_along_axis<-1>(sorted, newaxis<-1>(place)));
}

/// Between the sorted elements before and behind `place`, a number of double; NaN where there is a NaN among them, which is the last then.
/// `Middle` is half-way or on an element, which needs no product.
template <bool Middle, traced X, traced P, traced L> constexpr auto between(const X& sorted, const P& place, const L& last) {
    using T = number_in<X>;
    const auto before = maximum(cast<std::int64_t>(place), 0);
    const auto a = at_place(sorted, before), b = at_place(sorted, minimum(before + 1, last));
    const auto share = cast<T>(place - cast<double>(before));
    const auto on_element = (share == 0) | (a == b);
    const auto most = at_place(sorted, last);
    if constexpr (Middle) {
        return where(isnan(most), most, where(on_element, a, (a + b) * 0.5));
    } else {
        const auto step = b - a;
        return where(isnan(most), most, where(on_element, a, where(share < 0.5, a + step * share, b - step * (1 - share))));
    }
}

/// The share that is asked for as an expression of double; NaN where it is none.
template <operand Q> constexpr auto share_of(arena& g, const Q& q) {
    if constexpr (traced<Q>) {
        constexpr bool fits = rank_of<Q> == 0 && std::is_floating_point_v<number_in<Q>>;
        static_assert(fits, "croton: the share of a quantile is a number of float or double");
        if constexpr (fits) return cast<double>(q);
        else g.stopped = true;
        return expr<double, 0>{&g, g.literal(element::float64, 0)};
    } else {
        if (!(q >= 0 && q <= 1) && !g.failed()) g.error << "quantile: the share lies between 0 and 1";
        return expr<double, 0>{&g, g.literal(element::float64, static_cast<double>(q))};
    }
}

template <bool Middle, bool Numbers, int... Axes, traced X, operand Q> constexpr auto quantile_of(const X& given, const Q& q) {
    const auto x = as_real(given);
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    if constexpr (!axes_fit<rank_of<X>, Axes...>) x.graph->stopped = true;
    arena& g = *x.graph;
    const auto sorted = sort<-1>(axes_last<mask>(x));
    const auto share = share_of(g, q);
    const auto found = [&] {
        if constexpr (Numbers) {
            const auto last = maximum(sum<-1>(!isnan(sorted)) - 1, 0);
            return between<Middle>(sorted, share * cast<double>(last), last);
        } else {
            const expr<std::int64_t, 0> n{&g, count_node(g, element::int64, x.id, mask)};
            const auto last = n - 1;
            return between<Middle>(sorted, share * cast<double>(last), last);
        }
    }();
    if constexpr (traced<Q>) return where((share >= 0) & (share <= 1), found, NAN);
    else return found;
}

/// What was reduced over the named axes of `x`, with these of extent 1.
template <int... Axes, traced X, traced Y> constexpr auto kept(const X&, const Y& reduced) {
    constexpr int rank = rank_of<X>;
    return expr<number_in<Y>, rank>{reduced.graph, insert_axes(*reduced.graph, reduced.id, checked_mask<rank, Axes...>(), rank)};
}

}  // namespace detail

/// The middle of the elements in order over the named axes, or over all, half-way between two where their number is even: NumPy's `median`. NaN if there is
/// one. An axis without elements is a `shape_error` at the call. The cotangent goes to the elements in the middle.
template <int... Axes, traced X> constexpr auto median(const X& x) { return detail::quantile_of<true, false, Axes...>(x, 0.5); }
template <int... Axes, traced X> constexpr auto median(const X& x, keepdims_t) { return detail::kept<Axes...>(x, median<Axes...>(x)); }

/// What a share `q` of the elements lies below, between two of them in proportion: NumPy's `quantile`. A number, or an expression of rank 0, which gives NaN
/// where it does not lie between 0 and 1. Otherwise as `median`.
template <int... Axes, traced X, detail::operand Q> constexpr auto quantile(const X& x, Q q) { return detail::quantile_of<false, false, Axes...>(x, q); }
template <int... Axes, traced X, detail::operand Q> constexpr auto quantile(const X& x, Q q, keepdims_t) {
    return detail::kept<Axes...>(x, quantile<Axes...>(x, q));
}
/// The same in hundredths: NumPy's `percentile`.
template <int... Axes, traced X, detail::operand Q> constexpr auto percentile(const X& x, Q q) { return quantile<Axes...>(x, q / 100.0); }
template <int... Axes, traced X, detail::operand Q> constexpr auto percentile(const X& x, Q q, keepdims_t) { return quantile<Axes...>(x, q / 100.0, keepdims); }

/// `median` and `quantile` of the elements that are not NaN; NaN where there is none.
template <int... Axes, traced X> constexpr auto nanmedian(const X& x) { return detail::quantile_of<true, true, Axes...>(x, 0.5); }
template <int... Axes, traced X> constexpr auto nanmedian(const X& x, keepdims_t) { return detail::kept<Axes...>(x, nanmedian<Axes...>(x)); }
template <int... Axes, traced X, detail::operand Q> constexpr auto nanquantile(const X& x, Q q) { return detail::quantile_of<false, true, Axes...>(x, q); }
template <int... Axes, traced X, detail::operand Q> constexpr auto nanquantile(const X& x, Q q, keepdims_t) {
    return detail::kept<Axes...>(x, nanquantile<Axes...>(x, q));
}
template <int... Axes, traced X, detail::operand Q> constexpr auto nanpercentile(const X& x, Q q) { return nanquantile<Axes...>(x, q / 100.0); }
template <int... Axes, traced X, detail::operand Q> constexpr auto nanpercentile(const X& x, Q q, keepdims_t) { return nanquantile<Axes...>(x, q / 100.0, keepdims); }

}  // namespace croton::inline v0_1

#endif
