// SPDX-License-Identifier: MIT
// Medians and quantiles: elements of the sorted axis, and what lies between them.
#ifndef CROTON_OPS_QUANTILE_HPP
#define CROTON_OPS_QUANTILE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/ops/along.hpp>
#include <croton/ops/join.hpp>
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

/// The elements of the last axis at one place, or at one of its own for each of the others; where there are `Several`, at these, or at several of their own.
template <bool Several, traced X, traced P> constexpr auto at_place(const X& sorted, const P& place) {
    constexpr bool same = rank_of<P> == (Several ? 1 : 0);
    if constexpr (same || Several) {
        constexpr int rank = same ? rank_of<X> - 1 + rank_of<P> : rank_of<X>;
        return expr<number_in<X>, rank>{sorted.graph, structure::gather::of(*sorted.graph, sorted.id, place.id, rank_of<X> - 1, !same, true)};
    } else {
        return without_axes<-1>(at_place<true>(sorted, newaxis<-1>(place)));
    }
}

/// What is one for each of the other axes, beside several places on the last.
template <bool Several, traced X> constexpr auto beside(const X& x) {
    if constexpr (Several && rank_of<X> > 0) return newaxis<-1>(x);
    else return x;
}

/// Between the sorted elements before and behind `place`, a number of double; NaN where there is a NaN among them, which is the last then.
/// `Middle` is half-way or on an element, which needs no product.
template <bool Middle, bool Several, traced X, traced P, traced L> constexpr auto between(const X& sorted, const P& place, const L& last) {
    using T = number_in<X>;
    const auto before = maximum(cast<std::int64_t>(place), 0);
    const auto a = at_place<Several>(sorted, before), b = at_place<Several>(sorted, minimum(before + 1, beside<Several>(last)));
    const auto share = cast<T>(place - cast<double>(before));
    const auto on_element = (share == 0) | (a == b);
    const auto most = beside<Several>(at_place<false>(sorted, last));
    if constexpr (Middle) {
        return where(isnan(most), most, where(on_element, a, (a + b) * 0.5));
    } else {
        const auto step = b - a;
        return where(isnan(most), most, where(on_element, a, where(share < 0.5, a + step * share, b - step * (1 - share))));
    }
}

template <class Q> inline constexpr bool is_number_list = false;
template <class T, std::size_t N> inline constexpr bool is_number_list<std::array<T, N>> = std::is_arithmetic_v<T> && N > 0;

/// A number, an expression or a list of numbers.
template <class Q> concept shares = operand<Q> || is_number_list<Q>;

/// The shares that are asked for as an expression of double; NaN where one is none.
template <shares Q> constexpr auto share_of(arena& g, const Q& q) {
    if constexpr (traced<Q>) {
        constexpr bool fits = rank_of<Q> < 2 && std::is_floating_point_v<number_in<Q>>;
        static_assert(fits, "croton: the share of a quantile is a number of float or double, or a vector of them");
        if constexpr (fits) {
            return cast<double>(q);
        } else {
            g.stopped = true;
            return expr<double, 0>{&g, g.literal(element::float64, 0)};
        }
    } else if constexpr (is_number_list<Q>) {
        return std::apply([&](const auto&... each) { return stack<0>(share_of(g, each)...); }, q);
    } else {
        if (!(q >= 0 && q <= 1) && !g.failed()) g.error << "quantile: the share lies between 0 and 1";
        return expr<double, 0>{&g, g.literal(element::float64, static_cast<double>(q))};
    }
}

/// Hundredths as shares.
template <shares Q> constexpr auto of_hundred(const Q& q) {
    if constexpr (is_number_list<Q>) return std::apply([](const auto&... each) { return std::array{(each / 100.0)...}; }, q);
    else return q / 100.0;
}

template <bool Middle, bool Numbers, int... Axes, traced X, shares Q> constexpr auto quantile_of(const X& given, const Q& q) {
    const auto x = as_real(given);
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    if constexpr (!axes_fit<rank_of<X>, Axes...>) x.graph->stopped = true;
    arena& g = *x.graph;
    const auto sorted = sort<-1>(axes_last<mask>(x));
    const auto share = share_of(g, q);
    constexpr bool several = rank_of<decltype(share)> > 0;
    const auto found = [&] {
        if constexpr (Numbers) {
            const auto last = maximum(sum<-1>(!isnan(sorted)) - 1, 0);
            return between<Middle, several>(sorted, share * cast<double>(beside<several>(last)), last);
        } else {
            const expr<std::int64_t, 0> n{&g, count_node(g, element::int64, x.id, mask)};
            const auto last = n - 1;
            return between<Middle, several>(sorted, share * cast<double>(last), last);
        }
    }();
    const auto valid = [&] {
        if constexpr (traced<Q>) return where((share >= 0) & (share <= 1), found, NAN);
        else return found;
    }();
    if constexpr (several) return moveaxis<-1, 0>(valid);
    else return valid;
}

/// What was reduced over the named axes of `x`, with these of extent 1, behind the axis of several results.
template <int... Axes, traced X, traced Y> constexpr auto kept(const X&, const Y& reduced) {
    constexpr unsigned mask = checked_mask<rank_of<X>, Axes...>();
    constexpr int before = rank_of<Y> - (rank_of<X> - count_axes(mask)), rank = rank_of<X> + before;
    return expr<number_in<Y>, rank>{reduced.graph, insert_axes(*reduced.graph, reduced.id, mask << before, rank)};
}

}  // namespace detail

/// The middle of the elements in order over the named axes, or over all, half-way between two where their number is even: NumPy's `median`. NaN if there is
/// one. An axis without elements is a `shape_error` at the call. The cotangent goes to the elements in the middle.
template <int... Axes, traced X> constexpr auto median(const X& x) { return detail::quantile_of<true, false, Axes...>(x, 0.5); }
template <int... Axes, traced X> constexpr auto median(const X& x, keepdims_t) { return detail::kept<Axes...>(x, median<Axes...>(x)); }

/// What a share `q` of the elements lies below, between two of them in proportion: NumPy's `quantile`. A number, or an expression of rank 0, which gives NaN
/// where it does not lie between 0 and 1. Of several, a vector, `{0.25, 0.75}` or a `std::array`, the results lie along a new first axis: [m] of [n,k] give [m,k] for
/// axis 0. Otherwise as `median`.
template <int... Axes, traced X, detail::shares Q> constexpr auto quantile(const X& x, Q q) { return detail::quantile_of<false, false, Axes...>(x, q); }
template <int... Axes, traced X, detail::shares Q> constexpr auto quantile(const X& x, Q q, keepdims_t) {
    return detail::kept<Axes...>(x, quantile<Axes...>(x, q));
}
/// The same in hundredths: NumPy's `percentile`.
template <int... Axes, traced X, detail::shares Q> constexpr auto percentile(const X& x, Q q) { return quantile<Axes...>(x, detail::of_hundred(q)); }
template <int... Axes, traced X, detail::shares Q> constexpr auto percentile(const X& x, Q q, keepdims_t) { return quantile<Axes...>(x, detail::of_hundred(q), keepdims); }

/// `median` and `quantile` of the elements that are not NaN; NaN where there is none.
template <int... Axes, traced X> constexpr auto nanmedian(const X& x) { return detail::quantile_of<true, true, Axes...>(x, 0.5); }
template <int... Axes, traced X> constexpr auto nanmedian(const X& x, keepdims_t) { return detail::kept<Axes...>(x, nanmedian<Axes...>(x)); }
template <int... Axes, traced X, detail::shares Q> constexpr auto nanquantile(const X& x, Q q) { return detail::quantile_of<false, true, Axes...>(x, q); }
template <int... Axes, traced X, detail::shares Q> constexpr auto nanquantile(const X& x, Q q, keepdims_t) {
    return detail::kept<Axes...>(x, nanquantile<Axes...>(x, q));
}
template <int... Axes, traced X, detail::shares Q> constexpr auto nanpercentile(const X& x, Q q) { return nanquantile<Axes...>(x, detail::of_hundred(q)); }
template <int... Axes, traced X, detail::shares Q> constexpr auto nanpercentile(const X& x, Q q, keepdims_t) { return nanquantile<Axes...>(x, detail::of_hundred(q), keepdims); }

// Several shares in braces, as in `quantile(x, {0.25, 0.75})`, of expressions and of arrays.
#define CROTON_SHARES_IN_BRACES(name_)                                                                                \
    template <auto... Axes, class X, std::size_t N, class... Keep> requires requires { std::remove_cvref_t<X>::rank; } constexpr auto \
    name_(X&& x, const double (&q)[N], const Keep&... kept) { return name_<Axes...>(std::forward<X>(x), std::to_array(q), kept...); }
CROTON_SHARES_IN_BRACES(quantile)
CROTON_SHARES_IN_BRACES(percentile)
CROTON_SHARES_IN_BRACES(nanquantile)
CROTON_SHARES_IN_BRACES(nanpercentile)
#undef CROTON_SHARES_IN_BRACES

}  // namespace croton::inline v0_1

#endif
