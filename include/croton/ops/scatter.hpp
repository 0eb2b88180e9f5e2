// SPDX-License-Identifier: MIT
// Values brought to where indices lead.
#ifndef CROTON_OPS_SCATTER_HPP
#define CROTON_OPS_SCATTER_HPP

#include <croton/graph/structure/segments.hpp>
#include <croton/ops/gather.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Values repeated by NumPy's rule to the shape of what indices pick of `like`.
constexpr int fitted_values(arena& g, int like, int indices, int values, int axis, bound_of who) {
    const int picked = structure::gather::of(g, like, indices, axis, false);
    shape to = g[picked].shape;
    const shape of = g[values].shape;
    for (int i = 0; i < of.rank; ++i) {
        const int at = i + to.rank - of.rank;
        if (g.find(of[i]) == 1 || g.unify(to[at], of[i], tie::indexed) || g.failed()) continue;
        g.error << name_of(who) << ": ";
        g.say_extents(picked, to[at], values, of[i], at - to.rank);
    }
    return structure::broadcast::of(g, values, to);
}

constexpr int scattered(arena& g, int base, int indices, int values, int axis, bound_of who) {
    bound_indices(g, indices, g[base].shape[axis], who);
    values = fitted_values(g, base, indices, values, axis, who);
    const int at = structure::flat_indices(g, indices), flat = structure::flat_values(g, base, indices, values, axis);
    return structure::scatter::of(g, base, at, flat, axis, who == bound_of::set_at, false);
}

template <int Axis, bound_of Who, traced X, traced L, operand V> constexpr auto scattered_at(const X& x, const L& indices, const V& values) {
    constexpr int rank = rank_of<X> + rank_of<L> - 1;
    constexpr bool axis_fits = axes_fit<rank_of<X>, Axis>, rank_fits = rank <= max_rank, values_fit = rank_of_operand<V> <= rank;
    static_assert(are_indices<L>, "croton: the indices of add_at and set_at are whole numbers, of an integer type");
    static_assert(rank_fits, "croton: the rank of an expression is 0 to 8");
    static_assert(values_fit, "croton: add_at and set_at take values that fit what the indices pick: take<axis>(x, indices) has fewer axes");
    (void)checked_mask<rank_of<X>, Axis>();
    if constexpr (!are_indices<L> || !axis_fits || !rank_fits || !values_fit) {
        x.graph->stopped = true;
        return as_number(x);
    } else {
        arena& g = *x.graph;
        using T = number_in<X>;
        return expr<T, rank_of<X>>{x.graph, scattered(g, read_node(x), indices.id, argument_node<T>(g, values), Axis < 0 ? Axis + rank_of<X> : Axis, Who)};
    }
}

/// A number for each of so many segments.
constexpr int filled_segments(arena& g, int number, size_ref segments, const shape& like, int first) {
    shape s;
    s.rank = 1 + like.rank - first;
    s[0] = segments;
    for (int i = first; i < like.rank; ++i) s[i - first + 1] = like[i];
    return structure::broadcast::of(g, number, s);
}

template <extent_code Segments, traced L> constexpr bool check_segments(const L& ids) {
    constexpr bool fits = are_indices<L> && Segments != dynamic && is_extent(Segments);
    static_assert(are_indices<L>, "croton: the indices of segments and bincount are whole numbers, of an integer type");
    static_assert(Segments != dynamic && is_extent(Segments), "croton: segments and bincount need the number of results, as in bincount<10>(ids) or bincount<dim(\"class\")>(ids)");
    if constexpr (!fits) ids.graph->stopped = true;
    return fits;
}

/// The values of each segment, one after the other, as `Reduction` joins them; of none its identity.
template <extent_code Segments, bound_of Who, class Reduction, traced V, traced L> constexpr auto segmented(const V& values, const L& ids) {
    constexpr bool ranks_fit = rank_of<V> >= 1 && rank_of<L> == 1;
    static_assert(ranks_fit, "croton: segments are made of values with at least one axis, and of a vector of numbers of segments");
    if (!check_segments<Segments>(ids)) return as_number(values);
    if constexpr (!ranks_fit) {
        values.graph->stopped = true;
        return as_number(values);
    } else {
        arena& g = *values.graph;
        using T = number_in<V>;
        using written = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
        const int v = read_node(values), identity = g.literal(element_of<T>, static_cast<written>(Reduction::template identity<T>()));
        const int start = filled_segments(g, identity, declared_size(g, Segments), g[v].shape, 1);
        int made = -1;
        if constexpr (Who == bound_of::segment_sum) {
            made = scattered(g, start, ids.id, v, 0, Who);
        } else {
            constexpr kernel::brought how = Who == bound_of::segment_max ? kernel::brought::larger : Who == bound_of::segment_min ? kernel::brought::smaller : kernel::brought::multiplied;
            bound_indices(g, ids.id, g[start].shape[0], Who);
            made = structure::segments::of(g, how, start, ids.id, fitted_values(g, start, ids.id, v, 0, Who), 0, false);
        }
        return as_number(expr<T, rank_of<V>>{values.graph, made});
    }
}

}  // namespace detail

/// `x` with `values` added where the indices lead along an axis, one after the other in the order of the indices: NumPy's
/// `np.add.at(x, indices, values)` for axis 0, JAX's `x.at[indices].add(values)`. Indices that occur twice add twice. The values have the shape of
/// `take<Axis>(x, indices)`, or one that is repeated to it; indices are read and checked as there. Where `x` is a parameter that this updates, only
/// what the indices lead to is touched. Bools are joined by or.
template <int Axis, traced X, traced L, detail::operand V> constexpr auto add_at(const X& x, const L& indices, const V& values) {
    return detail::scattered_at<Axis, detail::bound_of::add_at>(x, indices, values);
}

/// `x` with `values` put where the indices lead along an axis: NumPy's `x[indices] = values` for axis 0, JAX's `x.at[indices].set(values)`. Of indices
/// that occur twice the last one stays. Everything else is as for `add_at`.
template <int Axis, traced X, traced L, detail::operand V> constexpr auto set_at(const X& x, const L& indices, const V& values) {
    return detail::scattered_at<Axis, detail::bound_of::set_at>(x, indices, values);
}

/// The sum of the values of each segment: [n,...] values and [n] numbers of segments, 0 to `Segments` - 1, give [Segments,...]. `Segments` is a number or
/// `dim("name")`; segments without values are 0. JAX's `segment_sum`. A number that names no segment is a `value_error` as for `take`.
template <extent_code Segments, traced V, traced L> constexpr auto segment_sum(const V& values, const L& ids) {
    return detail::segmented<Segments, detail::bound_of::segment_sum, reduction::sum>(values, ids);
}
/// The product of the values of each segment, 1 of none, as for `segment_sum`. JAX's `segment_prod`, with derivatives, also where values are 0.
template <extent_code Segments, traced V, traced L> constexpr auto segment_prod(const V& values, const L& ids) {
    return detail::segmented<Segments, detail::bound_of::segment_prod, reduction::prod>(values, ids);
}
/// The largest value of each segment, as for `segment_sum`: NaN where one is NaN, and of none minus infinity or the lowest integer. JAX's `segment_max`: equal
/// ones share the derivative.
template <extent_code Segments, traced V, traced L> constexpr auto segment_max(const V& values, const L& ids) {
    return detail::segmented<Segments, detail::bound_of::segment_max, reduction::max>(values, ids);
}
/// The smallest value of each segment, as `segment_max`; of none infinity or the largest integer.
template <extent_code Segments, traced V, traced L> constexpr auto segment_min(const V& values, const L& ids) {
    return detail::segmented<Segments, detail::bound_of::segment_min, reduction::min>(values, ids);
}
/// How often each of the numbers 0 to `Count` - 1 occurs, as int64, NumPy's `bincount(ids, minlength=Count)`. `Count` is a number or `dim("name")`;
/// another number is a `value_error` as for `take`.
template <extent_code Count, traced L> constexpr auto bincount(const L& ids) {
    detail::arena& g = *ids.graph;
    if (!detail::check_segments<Count>(ids)) return expr<std::int64_t, 1>{ids.graph, detail::structure::arange::of(g, element::int64, 1)};
    const int zeros = detail::filled_segments(g, g.literal(element::int64, 0), detail::declared_size(g, Count), detail::shape{}, 0);
    return expr<std::int64_t, 1>{ids.graph, detail::scattered(g, zeros, ids.id, g.literal(element::uint8, 1), 0, detail::bound_of::bincount)};
}

/// The mean of the values of each segment, as for `segment_sum`: of none NaN, as `mean` has it. Float or double.
template <extent_code Segments, traced V, traced L> constexpr auto segment_mean(const V& values, const L& ids) {
    using T = detail::number_in<V>;
    static_assert(std::is_floating_point_v<T>, "croton: segment_mean takes float or double; convert integers with cast<float>(x)");
    const auto sums = segment_sum<Segments>(values, ids);
    if constexpr (detail::rank_of<V> >= 1 && detail::rank_of<L> == 1 && std::is_floating_point_v<T>) {
        std::array<int, max_rank> column{};
        for (unsigned i = 1; i < max_rank; ++i) column[i] = detail::new_axis;
        const int counts = cast<T>(bincount<Segments>(ids)).id;
        return sums / expr<T, detail::rank_of<V>>{values.graph, detail::structure::view::of(*values.graph, counts, detail::rank_of<V>, column)};
    } else {
        return sums;
    }
}

}  // namespace croton::inline v0_1

#endif
