// SPDX-License-Identifier: MIT
// Integrals, slopes and values in between, of what is known at points.
#ifndef CROTON_OPS_CALCULUS_HPP
#define CROTON_OPS_CALCULUS_HPP

#include <limits>

#include <croton/ops/along.hpp>
#include <croton/ops/gather.hpp>
#include <croton/ops/part.hpp>
#include <croton/ops/statistics.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Demands as many values along one axis as there are points along another.
constexpr void match_points(arena& g, int points, int along_points, int values, int along_values, int tied_by) {
    const size_ref n = g[points].shape[along_points], m = g[values].shape[along_values];
    if (g.unify(n, m, tied_by) || g.failed()) return;
    g.error << tie::name(tied_by) << ": ";
    g.describe(g.error, points);
    g.error << " has ";
    g.describe_size(g.error, n);
    g.error << " points, but ";
    g.describe(g.error, values);
    g.error << " has ";
    g.describe_size(g.error, m);
    g.error << " values";
}

}  // namespace detail

/// The integral over the last axis, the area below straight lines from element to element: NumPy's `trapezoid(y)`, `trapezoid(y, dx=0.5)` as `trapezoid(y, 0.5)`, and `trapezoid(y, x)`
/// of where the elements are, a vector or one for each: [..., n] -> [...]. Of less than two elements it is 0.
template <traced Y, detail::operand D = int> constexpr auto trapezoid(const Y& given, const D& at = 1) {
    const auto y = detail::as_real(given);
    static_assert(detail::rank_of<Y> > 0, "croton: trapezoid adds up along the last axis, and one number has none");
    if constexpr (detail::rank_of<Y> == 0) {
        y.graph->stopped = true;
        return y;
    } else {
        if constexpr (detail::rank_of_operand<D> > 0) detail::match_points(*y.graph, at.id, detail::rank_of_operand<D> - 1, y.id, detail::rank_of<Y> - 1, detail::tie::trapezoid);
        const auto pairs = y(ellipsis, slice(1, none)) + y(ellipsis, slice(0, -1));
        if constexpr (detail::rank_of_operand<D> == 0) return sum<-1>(pairs) * 0.5 * at;
        else return sum<-1>(pairs * diff(at)) * 0.5;
    }
}

/// The slopes along an axis: NumPy's `gradient(y, axis=0)`. Of a vector the axis need not be named. The elements are `at` apart, a number, or where a vector says. Inside it is that between both
/// neighbours, at the ends the one to the only neighbour. Less than two elements are an error while compiling, or a `shape_error` where only the call knows it. Derivatives are those of `grad`.
template <int... Axis, traced Y, detail::operand D = int> constexpr auto central_differences(const Y& given, const D& at = 1) {
    const auto y = detail::as_real(given);
    constexpr int rank = detail::rank_of<Y>;
    constexpr bool fits = rank > 0 && detail::rank_of_operand<D> <= 1;
    static_assert(fits, "croton: central_differences takes differences of neighbours along an axis, which are a number apart, or where a vector says; derivatives are those of grad(cost, w)");
    if constexpr (!fits) {
        y.graph->stopped = true;
        return y;
    } else {
        const int axis = detail::axis_along<Y, Axis...>(given);
        detail::arena& g = *y.graph;
        const detail::size_ref n = g[y.id].shape[axis];
        if (!g.demand(y.id, axis, n, 2, 2, detail::demanded::central_differences)) return y;
        const detail::size_ref pairs = g.difference(n, 1), inside = g.difference(n, 2);
        const auto part = [&](const auto& of, detail::size_ref first, detail::size_ref count) { return expr<detail::number_in<Y>, rank>{&g, detail::run_of(g, of.id, axis, first, count)}; };
        if constexpr (detail::rank_of_operand<D> == 0) {
            const auto front = (part(y, 1, 1) - part(y, 0, 1)) / at, back = (part(y, pairs, 1) - part(y, inside, 1)) / at;
            return expr<detail::number_in<Y>, rank>{&g, detail::concatenated(g, axis, front, (part(y, 2, inside) - part(y, 0, inside)) / (2 * at), back)};
        } else {
            detail::match_points(g, at.id, 0, y.id, axis, detail::tie::central_differences);
            const auto steps = diff(at);
            const expr<detail::number_in<D>, rank> apart{&g, detail::insert_axes(g, steps.id, ((1u << rank) - 1) & ~(1u << axis), rank)};
            const auto slopes = (part(y, 1, pairs) - part(y, 0, pairs)) / apart;
            // Each weighs as much as the other's step is long.
            const auto before = part(apart, 0, inside), behind = part(apart, 1, inside);
            const auto both = (part(slopes, 0, inside) * behind + part(slopes, 1, inside) * before) / (before + behind);
            return expr<detail::number_in<Y>, rank>{&g, detail::concatenated(g, axis, part(slopes, 0, 1), both, part(slopes, inside, 1))};
        }
    }
}

/// What lies at `x` on straight lines between the points (xp, fp): NumPy's `interp(x, xp, fp)`, in the shape of `x`. `xp` is a vector in ascending order; before the first point and behind the last it is
/// their `fp`. No points are a `shape_error` at the call.
template <traced X, traced P, traced F> constexpr auto interp(const X& given, const P& xp, const F& fp) {
    const auto x = detail::as_real(given);
    constexpr bool fits = detail::rank_of<F> == 1;
    static_assert(fits, "croton: interp takes where points are in a vector, and what is there in another");
    if constexpr (!fits || detail::rank_of<P> != 1) {
        detail::check_searched(xp, x);
        x.graph->stopped = true;
        return x;
    } else {
        detail::match_points(*x.graph, xp.id, 0, fp.id, 0, detail::tie::interp);
        const auto at = detail::as_number(xp);
        const auto of = detail::as_real(fp);
        const auto from = at(slice(0, -1)), to = at(slice(1, none)), a = of(slice(0, -1)), b = of(slice(1, none)), width = to - from;
        // From an infinite value on a line stays there, unless it goes to the other one or to none; from an infinite place on it is at its end.
        const auto slope = where(isinf(a), where(a == b, 0, b - b), (b - a) / where(width == 0, 1, width));
        const auto begins = isinf(from) & (from < 0);
        const auto with_last = [](const auto& front, const auto& all) { return concatenate(front, all(slice(-1, none))); };
        const auto start = with_last(where(begins, to, from), at), value = with_last(where(begins, b, a), of);
        // In front of the first point the last one is taken, for which the first stands.
        const auto here = searchsorted<side::right>(at, x) - 1;
        const auto before = take<0>(start, here), there = take<0>(value, here), found = there + take<0>(concatenate(slope, full<1>(slope, 0)), here) * (x - before);
        const auto first = maximum(at(0), std::numeric_limits<detail::number_in<P>>::lowest());
        return where(x < first, of(0), where(x > at(-1), of(-1), where(isnan(found) & (x == before), there, found)));
    }
}

}  // namespace croton::inline v0_1

#endif
