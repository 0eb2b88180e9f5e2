// SPDX-License-Identifier: MIT
// Arrays joined to one along an axis, and arrays made larger by what is in them.
#ifndef CROTON_OPS_JOIN_HPP
#define CROTON_OPS_JOIN_HPP

#include <array>
#include <concepts>
#include <initializer_list>

#include <croton/ops/gather.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <int Rank, int Axis> inline constexpr int axis_from_front = Axis < 0 ? Axis + Rank : Axis;

/// The nodes of arrays one behind the other along an axis.
template <class... X> constexpr int concatenated(arena& g, int axis, const X&... x) {
    int all = -1;
    ((all = all < 0 ? read_node(x) : structure::concatenate::of(g, axis, all, read_node(x))), ...);
    return all;
}

/// Along an axis the elements from `first` on, `count` of them, backwards for a step of -1: with numbers, as what is in front is whole.
constexpr int run_of(arena& g, int a, int axis, size_ref first, size_ref count, std::int64_t step = 1) {
    return structure::slice::of(g, a, axis, first, count, step);
}

/// One element along an axis, so many times.
constexpr int repeated_along(arena& g, int a, int axis, size_ref at, size_ref count) {
    const int one = run_of(g, a, axis, at, 1);
    shape to = g[one].shape;
    to[axis] = count;
    return structure::broadcast::of(g, one, to);
}

}  // namespace detail

/// The arrays one behind the other along an axis, like NumPy's `concatenate`: [a,n], [b,n] -> [a + b, n] along axis 0. They have one
/// element type and, along the other axes, the same extents. Each is computed straight into its part of the result.
template <int Axis = 0, traced X, traced... Y> constexpr auto concatenate(const X& x, const Y&... y) {
    constexpr int rank = detail::rank_of<X>;
    constexpr bool same = ((detail::rank_of<Y> == rank && std::same_as<detail::number_in<Y>, detail::number_in<X>>) && ...);
    static_assert(same, "croton: concatenate joins arrays of one rank and one element type; convert with cast<float>(x), add an axis with newaxis<0>(x)");
    static_assert(rank > 0, "croton: concatenate takes arrays of at least one axis; stack<0>(a, b) joins numbers to a vector");
    constexpr bool fits = detail::axes_fit<rank, Axis>;
    if constexpr (same && rank > 0) detail::checked_mask<rank, Axis>();
    if constexpr (!same || rank == 0 || !fits) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return expr<detail::number_in<X>, rank>{x.graph, detail::concatenated(*x.graph, detail::axis_from_front<rank, Axis>, x, y...)};
    }
}

/// Arrays of one shape along a new axis, like NumPy's `stack`: [n], [n], [n] -> [3, n] for axis 0, [n, 3] for axis 1.
template <int Axis = 0, traced X, traced... Y> constexpr auto stack(const X& x, const Y&... y) {
    constexpr int rank = detail::rank_of<X> + 1;
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    if constexpr (rank > max_rank) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        return concatenate<Axis>(newaxis<Axis>(x), newaxis<Axis>(y)...);
    }
}

/// What `pad` adds: a number, the outermost element again, the array mirrored at it, or the array from its other end.
enum class pad_mode { constant, edge, reflect, wrap };

/// How many elements `pad` adds in front of an axis and behind it.
struct pad_width {
    std::int64_t before = 0, after = 0;
    constexpr pad_width(std::int64_t in_front, std::int64_t behind) : before(in_front), after(behind) {}
};

/// A `pad_width` for each axis, `{{1, 1}, {0, 2}}`, or one for all; beside arrays `constant<pad_widths{{1, 1}, {0, 2}}>`.
struct pad_widths {
    std::int64_t before[max_rank] = {}, after[max_rank] = {};
    int count = 0;
    constexpr pad_widths(std::initializer_list<pad_width> all) {
        for (const pad_width& w : all) {
            if (count < max_rank) before[count] = w.before, after[count] = w.after;
            ++count;
        }
    }
};

namespace detail {

constexpr int padded(arena& g, int a, const pad_widths& widths, pad_mode mode, int value) {
    const int rank = g[a].shape.rank, count = widths.count, whole = a;
    if (count != 1 && count != rank && !g.failed()) g.error << "pad: " << count << " widths for an array of " << rank << " axes; give one for each axis, or one for all";
    for (int axis = 0; axis < rank && !g.failed(); ++axis) {
        const int of = count == 1 ? 0 : axis;
        const pad_width w(widths.before[of], widths.after[of]);
        const std::int64_t most = w.before > w.after ? w.before : w.after;
        if (w.before < 0 || w.after < 0) g.error << "pad: a width of " << (w.before < 0 ? w.before : w.after) << " along axis " << axis << "; take a slice to make an array smaller";
        const size_ref n = g[a].shape[axis];
        if (g.failed() || most == 0) continue;
        if (mode != pad_mode::constant && !g.demand(whole, axis, n, mode == pad_mode::edge ? 1 : mode == pad_mode::wrap ? most : most + 1, most, demanded::pad)) continue;
        const size_ref last = g.difference(n, 1);
        int front = -1, back = -1;
        shape to = g[a].shape;
        switch (mode) {
        case pad_mode::constant:
            to[axis] = w.before;
            front = structure::broadcast::of(g, value, to);
            to[axis] = w.after;
            back = structure::broadcast::of(g, value, to);
            break;
        case pad_mode::edge:
            front = repeated_along(g, a, axis, 0, w.before);
            back = repeated_along(g, a, axis, last, w.after);
            break;
        case pad_mode::reflect:
            front = run_of(g, a, axis, w.before, w.before, -1);
            back = run_of(g, a, axis, g.difference(n, 2), w.after, -1);
            break;
        case pad_mode::wrap:
            front = run_of(g, a, axis, g.difference(n, w.before), w.before);
            back = run_of(g, a, axis, 0, w.after);
            break;
        }
        a = structure::concatenate::of(g, axis, structure::concatenate::of(g, axis, front, a), back);
    }
    return a;
}

}  // namespace detail

/// The array with elements in front of each axis and behind it, like NumPy's `pad`: a pair for each axis, as in
/// `pad(x, {{1, 1}, {0, 2}}, pad_mode::edge)`, or one pair or one number for all; zeros where no mode is named. What mirrored and wrapped
/// elements are made of must be there: a `shape_error` at the call otherwise.
template <traced X> constexpr auto pad(const X& x, const pad_widths& widths, pad_mode mode = pad_mode::constant) {
    detail::arena& g = *x.graph;
    const int a = detail::read_node(x);
    return expr<detail::number_in<X>, detail::rank_of<X>>{&g, detail::padded(g, a, widths, mode, g.literal(g[a].type, 0))};
}
template <traced X> constexpr auto pad(const X& x, pad_width width, pad_mode mode = pad_mode::constant) { return pad(x, pad_widths{width}, mode); }
template <traced X, std::integral I> constexpr auto pad(const X& x, I width, pad_mode mode = pad_mode::constant) { return pad(x, pad_width(width, width), mode); }

/// The same with a number everywhere.
template <traced X, detail::operand V> constexpr auto pad(const X& x, const pad_widths& widths, V value) {
    detail::arena& g = *x.graph;
    const int a = detail::read_node(x), number = detail::argument_node<detail::number_in<X>>(g, value);
    return expr<detail::number_in<X>, detail::rank_of<X>>{&g, detail::padded(g, a, widths, pad_mode::constant, number)};
}
template <traced X, detail::operand V> constexpr auto pad(const X& x, pad_width width, V value) { return pad(x, pad_widths{width}, value); }
template <traced X, std::integral I, detail::operand V> constexpr auto pad(const X& x, I width, V value) {
    return pad(x, pad_width(width, width), value);
}

namespace detail {

/// Each axis so many times: as a whole where it is repeated along a new axis in front of it, or element by element `behind` it.
constexpr int repeated(arena& g, int a, const std::array<int, max_rank>& times, bool behind) {
    const int rank = g[a].shape.rank;
    shape to = g[a].shape;
    for (int from = 0; from < rank && rank < max_rank;) {
        // As many axes at once as there is room for new ones.
        const auto repeats = [&](int axis) { return times[static_cast<unsigned>(axis)] != 1; };
        int end = from, more = 0;
        for (; end < rank && rank + more + repeats(end) <= max_rank; ++end) more += repeats(end);
        const shape now = to;
        shape wide;
        unsigned made = 0;
        for (int axis = 0; axis < rank; ++axis) {
            const bool here = axis >= from && axis < end && repeats(axis);
            const int times_here = times[static_cast<unsigned>(axis)];
            if (here && !behind) made |= 1u << wide.rank, wide[wide.rank++] = times_here;
            wide[wide.rank++] = now[axis];
            if (here && behind) made |= 1u << wide.rank, wide[wide.rank++] = times_here;
            if (here) to[axis] = g.product(now[axis], times_here);
        }
        if (made != 0) a = structure::reshape::of(g, structure::broadcast::of(g, insert_axes(g, a, made, wide.rank), wide), to);
        from = end;
    }
    return a;
}

}  // namespace detail

/// The array so many times along each axis, like NumPy's `tile`: [n] -> [3, 2 n] for `tile<3, 2>(x)`.
template <int... Times, traced X> constexpr auto tile(const X& x) {
    static_assert(sizeof...(Times) > 0 && ((Times >= 0) && ...), "croton: tile says how often an array stands along each axis, as in tile<2, 3>(x)");
    constexpr int own = detail::rank_of<X>, rank = static_cast<int>(sizeof...(Times)) > own ? static_cast<int>(sizeof...(Times)) : own;
    static_assert(rank < max_rank, "croton: tile needs an axis more for a while: the rank of its result is at most 7");
    detail::arena& g = *x.graph;
    std::array<int, max_rank> times{};
    times.fill(1);
    int axis = rank - static_cast<int>(sizeof...(Times));
    ((times[static_cast<unsigned>(axis++)] = Times), ...);
    return expr<detail::number_in<X>, rank>{&g, detail::repeated(g, detail::insert_axes(g, detail::read_node(x), (1u << (rank - own)) - 1, rank), times, false)};
}

/// Each element so many times along an axis, like NumPy's `repeat`: a, b -> a, a, b, b for `repeat<0, 2>(x)`.
template <int Axis, int Times, traced X> constexpr auto repeat(const X& x) {
    static_assert(Times >= 0, "croton: repeat says how often each element stands along an axis, as in repeat<0, 2>(x)");
    constexpr int rank = detail::rank_of<X>;
    (void)detail::checked_mask<rank, Axis>();
    static_assert(rank < max_rank, "croton: repeat needs an axis more for a while: the rank of what it takes is at most 7");
    if constexpr (!detail::axes_fit<rank, Axis> || rank == max_rank || Times < 0) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        std::array<int, max_rank> times{};
        times.fill(1);
        times[static_cast<unsigned>(detail::axis_from_front<rank, Axis>)] = Times;
        return expr<detail::number_in<X>, rank>{x.graph, detail::repeated(*x.graph, detail::read_node(x), times, true)};
    }
}

/// The elements moved along an axis by so many places, what leaves at one end entering at the other, like NumPy's `roll`. The number of places is one of C++ or an integer expression of rank 0, which the
/// call computes.
template <int Axis, traced X, detail::operand P> constexpr auto roll(const X& x, const P& places) {
    constexpr int rank = detail::rank_of<X>;
    constexpr bool whole = [] {
        if constexpr (traced<P>) return std::is_integral_v<detail::number_in<P>> && !std::is_same_v<detail::number_in<P>, bool> && detail::rank_of<P> == 0;
        else return std::is_integral_v<P>;
    }();
    (void)detail::checked_mask<rank, Axis>();
    static_assert(whole, "croton: roll moves by one whole number of places");
    if constexpr (!detail::axes_fit<rank, Axis> || !whole) {
        x.graph->stopped = true;
        return detail::as_number(x);
    } else {
        constexpr int axis = detail::axis_from_front<rank, Axis>;
        detail::arena& g = *x.graph;
        const detail::size_ref n = g[x.id].shape[axis];
        if constexpr (traced<P>) {
            // Indices before the first count from the end.
            const expr<std::int64_t, 1> index{&g, detail::structure::arange::of(g, element::int64, n)};
            const expr<std::int64_t, 0> count{&g, g.size(element::int64, n)};
            return take<Axis>(x, index - remainder(cast<std::int64_t>(places), count));
        } else {
            const int a = detail::read_node(x);
            const std::int64_t by = static_cast<std::int64_t>(places);
            // Whole turns change nothing.
            const detail::size_ref moved = g.remainder(by < 0 ? -by : by, n), others = g.difference(n, moved);
            const detail::size_ref front = by < 0 ? others : moved, rest = by < 0 ? moved : others;
            return expr<detail::number_in<X>, rank>{
                &g, detail::structure::concatenate::of(g, axis, detail::run_of(g, a, axis, rest, front), detail::run_of(g, a, axis, 0, rest))};
        }
    }
}

}  // namespace croton::inline v0_1

#endif
