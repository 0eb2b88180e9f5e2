// SPDX-License-Identifier: MIT
// Spread, weighted means and covariances. All of them are formulas of sums, so that their derivatives and their fusing are those of sums.
#ifndef CROTON_OPS_STATISTICS_HPP
#define CROTON_OPS_STATISTICS_HPP

#include <croton/ops/join.hpp>
#include <croton/ops/matrices.hpp>

namespace croton::inline v0_1 {

/// Behind the argument of `var`, `stddev` and `cov`: by how much the sum of squares is divided less than by the number of elements,
/// NumPy's `ddof`: `var<0>(x, ddof(1))`.
struct ddof {
    int count;
    constexpr explicit ddof(int n) : count(n) {}
};

namespace detail {

/// `x` as numbers of float or double. What follows an error is said for them, and so not at all.
template <class X> constexpr auto as_real(const X& x) {
    static_assert(std::is_floating_point_v<number_in<X>>,
                  "croton: spreads, norms, weighted means, quantiles, integrals and slopes take float or double; convert with cast<float>(x)");
    if constexpr (std::is_floating_point_v<number_in<X>>) {
        return as_number(x);
    } else {
        x.graph->stopped = true;
        return cast<float>(x);
    }
}

/// The number of elements over the axes, less `less`, as a number of the element type; not below 0.
template <int... Axes, traced X> constexpr auto divisor_of(const X& x, int less) {
    using T = number_in<X>;
    const expr<T, 0> n{x.graph, count_node(*x.graph, element_of<T>, x.id, checked_mask<rank_of<X>, Axes...>())};
    return less > 0 ? maximum(n - less, 0) : n;
}

/// The root of what is a sum of squares. Where that is 0 its derivative is 0, as in PyTorch, and not NaN.
template <traced X> constexpr auto root_of_squares(const X& squares) {
    const auto none = squares == 0;
    return where(none, 0, sqrt(where(none, 1, squares)));
}

/// `x` where it is a number, else `other`; integers always are.
template <traced X, class V> constexpr auto where_number(const X& x, V other) {
    if constexpr (std::is_floating_point_v<number_in<X>>) return where(isnan(x), other, x);
    else return as_number(x);
}

}  // namespace detail

/// The variance over the named axes, or over all: the mean of the squares of what differs from the mean, NumPy's `var`. A mean that is
/// large beside the spread costs no digits. Of no elements, or not more than `ddof`, it is NaN or infinite.
template <int... Axes, traced X> constexpr auto var(const X& given, ddof less, keepdims_t) {
    const auto x = detail::as_real(given);
    return sum<Axes...>(sqr(x - mean<Axes...>(x, keepdims)), keepdims) / detail::divisor_of<Axes...>(x, less.count);
}
template <int... Axes, traced X> constexpr auto var(const X& x, keepdims_t) { return var<Axes...>(x, ddof(0), keepdims); }
template <int... Axes, traced X> constexpr auto var(const X& x, ddof less = ddof(0)) {
    return detail::without_axes<Axes...>(var<Axes...>(x, less, keepdims));
}

/// The root of the variance: NumPy's `std`, whose name C++ has given away. Where it is 0 its derivative is 0.
template <int... Axes, traced X> constexpr auto stddev(const X& x, ddof less, keepdims_t) {
    return detail::root_of_squares(var<Axes...>(x, less, keepdims));
}
template <int... Axes, traced X> constexpr auto stddev(const X& x, keepdims_t) { return stddev<Axes...>(x, ddof(0), keepdims); }
template <int... Axes, traced X> constexpr auto stddev(const X& x, ddof less = ddof(0)) {
    return detail::without_axes<Axes...>(stddev<Axes...>(x, less, keepdims));
}

/// How many elements are not 0, as int64: NumPy's `count_nonzero`. NaN is not 0.
template <int... Axes, traced X> constexpr auto count_nonzero(const X& x, keepdims_t) {
    if constexpr (std::is_same_v<detail::element_in<X>, bool>) return sum<Axes...>(x, keepdims);
    else return sum<Axes...>(x != 0, keepdims);
}
template <int... Axes, traced X> constexpr auto count_nonzero(const X& x) { return detail::without_axes<Axes...>(count_nonzero<Axes...>(x, keepdims)); }

/// The largest element less the smallest: NumPy's `ptp`.
template <int... Axes, traced X> constexpr auto ptp(const X& x, keepdims_t) { return max<Axes...>(x, keepdims) - min<Axes...>(x, keepdims); }
template <int... Axes, traced X> constexpr auto ptp(const X& x) { return detail::without_axes<Axes...>(ptp<Axes...>(x, keepdims)); }

/// The mean of the elements times their weights, by the sum of the weights: NumPy's `average`. The weights have the shape of `x`, or are a vector
/// along the one axis that is named; without weights it is the mean.
template <int... Axes, traced X> constexpr auto average(const X& x, keepdims_t) { return mean<Axes...>(x, keepdims); }
template <int... Axes, traced X> constexpr auto average(const X& x) { return mean<Axes...>(x); }
template <int... Axes, traced X, traced W> constexpr auto average(const X& given, const W& weights, keepdims_t) {
    const auto x = detail::as_real(given);
    constexpr bool along = detail::rank_of<W> == 1 && sizeof...(Axes) == 1, fits = along || detail::rank_of<W> == detail::rank_of<X>;
    static_assert(fits, "croton: the weights of average have as many axes as the array, or one, along the one axis that is named");
    if constexpr (!fits) {
        x.graph->stopped = true;
        return mean<Axes...>(x, keepdims);
    } else if constexpr (along && detail::rank_of<X> != 1) {
        constexpr unsigned mask = detail::checked_mask<detail::rank_of<X>, Axes...>();
        const expr<detail::element_in<W>, detail::rank_of<X>> w{
            x.graph, detail::insert_axes(*x.graph, weights.id, ((1u << detail::rank_of<X>) - 1) & ~mask, detail::rank_of<X>)};
        return sum<Axes...>(x * w, keepdims) / sum(weights);
    } else {
        // Weights that do not count all elements have another sum.
        return sum<Axes...>(x * weights, keepdims) / sum<Axes...>(weights + 0 * x, keepdims);
    }
}
template <int... Axes, traced X, traced W> constexpr auto average(const X& x, const W& weights) {
    return detail::without_axes<Axes...>(average<Axes...>(x, weights, keepdims));
}

/// What the rows of a matrix have to do with each other, NumPy's `cov`: [p,n] -> [p,p], a variable in each row and an observation in each column; of a
/// vector it is the variance. Divided by n - 1, or as `ddof` says.
template <traced X> constexpr auto cov(const X& given, ddof less = ddof(1)) {
    const auto x = detail::as_real(given);
    constexpr int rank = detail::rank_of<X>;
    constexpr bool fits = rank == 1 || rank == 2;
    static_assert(fits, "croton: cov and corrcoef take a vector, two vectors, or a matrix with a variable in each row");
    if constexpr (!fits) {
        x.graph->stopped = true;
        return x;
    } else if constexpr (rank == 1) {
        return var(x, less);
    } else {
        const auto away = x - mean<1>(x, keepdims);
        return dot(away, transpose(away)) / detail::divisor_of<1>(x, less.count);
    }
}
namespace detail {

/// The variables of two arrays, each in a row: a vector is one.
template <traced X, traced Y> constexpr auto variables_of(const X& x, const Y& y) {
    if constexpr (rank_of<X> == 1 && rank_of<Y> == 1) return stack<0>(x, y);
    else if constexpr (rank_of<X> == 1) return concatenate<0>(newaxis<0>(x), y);
    else if constexpr (rank_of<Y> == 1) return concatenate<0>(x, newaxis<0>(y));
    else return concatenate<0>(x, y);
}

}  // namespace detail

/// Of the variables of both: [n] and [n] -> [2,2], [p,n] and [q,n] -> [p+q,p+q].
template <traced X, traced Y> constexpr auto cov(const X& x, const Y& y, ddof less = ddof(1)) { return cov(detail::variables_of(x, y), less); }

/// The covariances by the spreads, between -1 and 1: NumPy's `corrcoef`. Of a variable that does not vary it is NaN.
template <traced X> constexpr auto corrcoef(const X& x) {
    const auto c = cov(x);
    if constexpr (detail::rank_of<X> == 2) {
        const auto spread = sqrt(diagonal(c));
        return clip(c / newaxis<1>(spread) / newaxis<0>(spread), -1, 1);
    } else {
        return c / c;
    }
}
template <traced X, traced Y> constexpr auto corrcoef(const X& x, const Y& y) { return corrcoef(detail::variables_of(x, y)); }

/// `sum`, `prod`, `mean`, `var`, `stddev`, `max` and `min` of the elements that are not NaN, as NumPy's: where there is none, the sum is 0, the product 1,
/// the others NaN. Of integers they are those without the nan.
template <int... Axes, traced X> constexpr auto nansum(const X& x, keepdims_t) { return sum<Axes...>(detail::where_number(x, 0), keepdims); }
template <int... Axes, traced X> constexpr auto nansum(const X& x) { return detail::without_axes<Axes...>(nansum<Axes...>(x, keepdims)); }
template <int... Axes, traced X> constexpr auto nanprod(const X& x, keepdims_t) { return prod<Axes...>(detail::where_number(x, 1), keepdims); }
template <int... Axes, traced X> constexpr auto nanprod(const X& x) { return detail::without_axes<Axes...>(nanprod<Axes...>(x, keepdims)); }

namespace detail {

/// How many elements are numbers, in their element type, less `less`; not below 0.
template <int... Axes, traced X> constexpr auto numbers_in(const X& x, int less = 0) {
    return maximum(sum<Axes...>(where(isnan(x), zeros_like(x), 1), keepdims) - less, 0);
}

/// The extreme of what is a number: NaN where nothing is.
template <class Reduction, int... Axes, traced X> constexpr auto extreme_number(const X& x) {
    check_number(x);
    if constexpr (std::is_floating_point_v<number_in<X>>) {
        constexpr double least = std::is_same_v<Reduction, reduction::max> ? -INFINITY : INFINITY;
        const auto found = reduce_keep<Reduction, Axes...>(where_number(x, least));
        return where(all<Axes...>(isnan(x), keepdims), NAN, found);
    } else {
        return reduce_keep<Reduction, Axes...>(x);
    }
}

}  // namespace detail

template <int... Axes, traced X> constexpr auto nanmean(const X& given, keepdims_t) {
    const auto x = detail::as_real(given);
    return nansum<Axes...>(x, keepdims) / detail::numbers_in<Axes...>(x);
}
template <int... Axes, traced X> constexpr auto nanmean(const X& x) { return detail::without_axes<Axes...>(nanmean<Axes...>(x, keepdims)); }

template <int... Axes, traced X> constexpr auto nanvar(const X& given, ddof less, keepdims_t) {
    const auto x = detail::as_real(given);
    return sum<Axes...>(where(isnan(x), 0, sqr(x - nanmean<Axes...>(x, keepdims))), keepdims) / detail::numbers_in<Axes...>(x, less.count);
}
template <int... Axes, traced X> constexpr auto nanvar(const X& x, keepdims_t) { return nanvar<Axes...>(x, ddof(0), keepdims); }
template <int... Axes, traced X> constexpr auto nanvar(const X& x, ddof less = ddof(0)) {
    return detail::without_axes<Axes...>(nanvar<Axes...>(x, less, keepdims));
}
template <int... Axes, traced X> constexpr auto nanstddev(const X& x, ddof less, keepdims_t) {
    return detail::root_of_squares(nanvar<Axes...>(x, less, keepdims));
}
template <int... Axes, traced X> constexpr auto nanstddev(const X& x, keepdims_t) { return nanstddev<Axes...>(x, ddof(0), keepdims); }
template <int... Axes, traced X> constexpr auto nanstddev(const X& x, ddof less = ddof(0)) {
    return detail::without_axes<Axes...>(nanstddev<Axes...>(x, less, keepdims));
}

/// The position of the largest or smallest that is not NaN, otherwise as `argmax`; where there is none it is some position, which is a `ValueError` in NumPy.
template <int... Axes, traced X> constexpr auto nanargmax(const X& x, ties which = ties::first) { return argmax<Axes...>(detail::where_number(x, -INFINITY), which); }
template <int... Axes, traced X> constexpr auto nanargmax(const X& x, keepdims_t) { return argmax<Axes...>(detail::where_number(x, -INFINITY), keepdims); }
template <int... Axes, traced X> constexpr auto nanargmin(const X& x, ties which = ties::first) { return argmin<Axes...>(detail::where_number(x, INFINITY), which); }
template <int... Axes, traced X> constexpr auto nanargmin(const X& x, keepdims_t) { return argmin<Axes...>(detail::where_number(x, INFINITY), keepdims); }

template <int... Axes, traced X> constexpr auto nanmax(const X& x, keepdims_t) { return detail::extreme_number<reduction::max, Axes...>(x); }
template <int... Axes, traced X> constexpr auto nanmax(const X& x) { return detail::without_axes<Axes...>(nanmax<Axes...>(x, keepdims)); }
template <int... Axes, traced X> constexpr auto nanmin(const X& x, keepdims_t) { return detail::extreme_number<reduction::min, Axes...>(x); }
template <int... Axes, traced X> constexpr auto nanmin(const X& x) { return detail::without_axes<Axes...>(nanmin<Axes...>(x, keepdims)); }

}  // namespace croton::inline v0_1

#endif
