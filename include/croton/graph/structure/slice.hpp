// SPDX-License-Identifier: MIT
// A part of an array along one axis, and two arrays one behind the other: each is what the derivative of the other is made of.
#ifndef CROTON_GRAPH_STRUCTURE_SLICE_HPP
#define CROTON_GRAPH_STRUCTURE_SLICE_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/cotangents.hpp>
#include <croton/graph/region.hpp>
#include <croton/graph/structure/arange.hpp>

namespace croton::inline v0_1::detail::structure {

struct concatenate {  // bits: the axis
    static constexpr std::string_view name = "concatenate"sv;
    static constexpr placement place = placement::pieces;

    static constexpr int of(arena& g, int axis, int a, int b) {
        for (int i = 0; i < g.nodes.at[a].shape.rank; ++i) {
            if (i == axis || g.unify(g.nodes.at[a].shape.extent[i], g.nodes.at[b].shape.extent[i], tie::concatenate) || g.failed()) continue;
            g.error << "concatenate along axis " << axis << ": ";
            g.say_extents(a, g.nodes.at[a].shape.extent[i], b, g.nodes.at[b].shape.extent[i], i, false);
        }
        if (g.find(g.nodes.at[a].shape.extent[axis]) == 0) return b;
        if (g.find(g.nodes.at[b].shape.extent[axis]) == 0) return a;
        node n = g.like(tag<concatenate>, a);
        n.in[1] = b;
        n.bits = axis;
        n.shape.extent[axis] = g.sum(g.nodes.at[a].shape.extent[axis], g.nodes.at[b].shape.extent[axis]);
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, static_cast<int>(n.bits), n.in[0], n.in[1]); }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, static_cast<int>(n.bits) + 1, b.whole(n.in[0]), b.whole(n.in[1])); }

    /// Each piece has its part of the cotangent.
    template <class C> static constexpr void pull(C& c, int id);
};

/// Element `start` of slice `of` along the first axis, where that is what a loop carries after its last turn; else -1. A loop that a value ends may have had fewer
/// turns than it has values.
constexpr int after_last_turn(arena& g, const node& of, size_ref start) {
    const node part = g.nodes.at[of.in[0]];
    if (part.what != tag<turn_part> || part_role(part.bits) != loop_result::trajectory) return -1;
    const node& loop = g.nodes.at[part.in[0]];
    const loop_facts& f = g.loops.at[static_cast<int>(loop.bits)];
    if (loop.in[1] >= 0 || loop.in[2] >= 0 || f.at_most > 0 || slice_step(of.bits) != 1 || !g.same(of.shape[0], f.turns)) return -1;
    if (f.reverse ? slice_start(of.bits) != 0 || start != 0 : slice_start(of.bits) != 1 || !g.same(start, g.difference(f.turns, 1))) return -1;
    node n = part;
    n.name = -1;
    n.bits = part_bits(loop_result::last, part_index(part.bits));
    n.shape.rank = part.shape.rank - 1;
    std::array<int, max_rank> source{new_axis};
    for (int i = 0; i < n.shape.rank; ++i) {
        n.shape[i] = part.shape[i + 1];
        source[static_cast<unsigned>(i + 1)] = i;
    }
    return view::of(g, g.intern(n), part.shape.rank, source);
}

struct slice {  // bits: the axis, the start and the step, see graph/node.hpp
    static constexpr std::string_view name = "slice"sv;
    static constexpr placement place = placement::window;

    /// `extent` elements of `a` along an axis: start, start + step, ... A slice of what is seen in another way becomes that way to see
    /// a slice, and slices along several axes stand in the order of their axes, so that equal ones are one node.
    static constexpr int of(arena& g, int a, int axis, size_ref start, size_ref extent, std::int64_t step) {
        start = g.find(start);
        extent = g.find(extent);
        if (extent == 0) start = 0;
        if (extent == 0 || extent == 1) step = 1;
        const node from = g.nodes.at[a];
        if (start == 0 && step == 1 && g.same(extent, from.shape.extent[axis])) return a;
        if (from.what == tag<broadcast>) {
            detail::shape to = from.shape;
            to[axis] = extent;
            const int in = from.in[0], inner = axis - (from.shape.rank - g.nodes.at[in].shape.rank);
            const bool repeated = inner < 0 || g.find(g.nodes.at[in].shape.extent[inner]) == 1;
            return broadcast::of(g, repeated ? in : of(g, in, inner, start, extent, step), to);
        }
        if (from.what == tag<view> && view_axis(from.bits, axis) != new_axis) {
            std::array<int, max_rank> source{};
            for (int i = 0; i < from.shape.rank; ++i) source[static_cast<unsigned>(i)] = view_axis(from.bits, i);
            return view::of(g, of(g, from.in[0], view_axis(from.bits, axis), start, extent, step), from.shape.rank, source);
        }
        if (from.what == tag<arange>) {
            const int index = g.apply(code<op::multiply>, arange::of(g, from.type, extent), g.literal(from.type, step));
            return g.apply(code<op::add>, index, g.size(from.type, start));
        }
        if (from.what == tag<slice>) {
            const int inner = slice_axis(from.bits);
            const size_ref inner_start = slice_start(from.bits), inner_extent = from.shape.extent[inner];
            const std::int64_t inner_step = slice_step(from.bits);
            if (inner > axis) return of(g, of(g, from.in[0], axis, start, extent, step), inner, inner_start, inner_extent, inner_step);
            if (inner == axis && axis == 0 && extent == 1)
                if (const int last = after_last_turn(g, from, start); last >= 0) return last;
            if (inner == axis && inner_step == 1) return of(g, from.in[0], axis, g.sum(inner_start, start), extent, step);
            if (inner == axis && inner_step == -1) return of(g, from.in[0], axis, g.difference(inner_start, start), extent, -step);
            if (inner == axis && inner_start >= 0 && start >= 0 && fits(step * inner_step))
                return of(g, from.in[0], axis, inner_start + inner_step * start, extent, step * inner_step);
        }
        if (from.what == tag<concatenate> && static_cast<int>(from.bits) == axis && step == 1) {
            const size_ref first = g.nodes.at[from.in[0]].shape.extent[axis], second = g.nodes.at[from.in[1]].shape.extent[axis];
            if (start == 0 && g.same(extent, first)) return from.in[0];
            if (g.same(start, first) && g.same(extent, second)) return from.in[1];
            // A part of the first piece, or of the second: where numbers show it.
            if (start >= 0 && extent >= 0 && g.find(first) >= start + extent) return of(g, from.in[0], axis, start, extent, step);
            if (start >= 0 && g.find(first) >= 0 && start >= g.find(first))
                return of(g, from.in[1], axis, start - g.find(first), extent, step);
        }
        if (!g.failed() && (!fits(step) || start > furthest_number)) g.error << "slice: a start or a step beyond 2147483647, or a step beyond 134217727";
        node n = g.like(tag<slice>, a);
        n.shape.extent[axis] = extent;
        n.bits = slice_bits(axis, start, step);
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) {
        const int axis = slice_axis(n.bits);
        return of(g, n.in[0], axis, slice_start(n.bits), n.shape.extent[axis], slice_step(n.bits));
    }
    template <class B> static constexpr int batch(B& b, const node& n) {
        const int axis = slice_axis(n.bits);
        return of(b.g, b.at(n.in[0]), axis + 1, slice_start(n.bits), n.shape.extent[axis], slice_step(n.bits));
    }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) {
        out << "a slice of ";
        g.describe(out, n.in[0]);
    }

    /// Zeros, and the cotangent where the slice took its elements.
    template <class C> static constexpr void pull(C& c, int id) {
        arena& g = c.g;
        const node n = g.nodes.at[id];
        const int axis = slice_axis(n.bits);
        const int made = put(g, c.full(c.of[id], id), axis, slice_start(n.bits), slice_step(n.bits), g.nodes.at[n.in[0]].shape);
        const int both = c.of[n.in[0]] >= 0 ? joined_sum(g, axis, c.of[n.in[0]], made) : -1;
        if (both >= 0) c.of[n.in[0]] = both;
        else c.add(n.in[0], made);
    }

    /// The sum of what is joined along an axis where of two pieces beside each other one is zeros: joined, too. -1 where that cannot be seen.
    static constexpr int joined_sum(arena& g, int axis, int a, int b) {
        vec<int> of_a, of_b;
        list_pieces(g, axis, a, of_a);
        list_pieces(g, axis, b, of_b);
        if (of_a.size() < 2 || of_b.size() < 2 || !g.same_shape(g.nodes.at[a].shape, g.nodes.at[b].shape)) return -1;
        int all = -1;
        for (int i = 0, j = 0; i < of_a.size() && j < of_b.size(); ++i, ++j) {
            int& x = of_a[i];
            int& y = of_b[j];
            const size_ref m = g.find(g.nodes.at[x].shape.extent[axis]), n = g.find(g.nodes.at[y].shape.extent[axis]);
            int piece = is_zero(g, x) ? y : x;
            if (!is_zero(g, x) && !is_zero(g, y)) return -1;
            if (m != n) {
                // Of the longer one, if it is zeros, the rest comes next.
                if (m < 0 || n < 0 || !is_zero(g, m > n ? x : y)) return -1;
                detail::shape rest = g.nodes.at[x].shape;
                rest[axis] = m > n ? m - n : n - m;
                piece = m > n ? y : x;
                if (m > n) x = zeros(g, g.nodes.at[x].type, rest), --i;
                else y = zeros(g, g.nodes.at[y].type, rest), --j;
            }
            all = all < 0 ? piece : concatenate::of(g, axis, all, piece);
        }
        if (!g.same_shape(g.nodes.at[all].shape, g.nodes.at[a].shape)) g.unify(g.nodes.at[all].shape.extent[axis], g.nodes.at[a].shape.extent[axis], tie::declaration);
        return all;
    }

    /// `piece` along an axis at start, start + step, ... of zeros of a shape.
    static constexpr int put(arena& g, int piece, int axis, size_ref start, std::int64_t step, const detail::shape to) {
        size_ref extent = g.find(g.nodes.at[piece].shape.extent[axis]);
        if (step < 0) {
            const size_ref last = g.difference(extent, 1);
            start = g.difference(start, g.product(last, -step));
            piece = of(g, piece, axis, last, extent, -1);
            step = -step;
        }
        const size_ref rest = g.rest_of(to[axis], start);
        if (step > 1) {
            // Each element and the zeros behind it are rows of an axis more.
            const int rank = to.rank;
            std::array<int, max_rank> source{};
            detail::shape gaps = g.nodes.at[piece].shape, flat = gaps;
            if (rank == max_rank) {
                // Two axes that are none of the slice's are one meanwhile.
                const int first = axis >= 2 ? 0 : rank - 2;
                const int narrow = reshape::of(g, piece, merged(g, g.nodes.at[piece].shape, first));
                return reshape::of(g, put(g, narrow, axis >= 2 ? axis - 1 : axis, start, step, merged(g, to, first)), to);
            }
            for (int i = 0, at = 0; i <= rank; ++i) {
                source[static_cast<unsigned>(i)] = i == axis + 1 ? new_axis : at++;
                gaps[i] = i == axis + 1 ? step - 1 : g.nodes.at[piece].shape.extent[i > axis ? i - 1 : i];
            }
            gaps.rank = rank + 1;
            const int rows = concatenate::of(g, axis + 1, view::of(g, piece, rank + 1, source), zeros(g, g.nodes.at[piece].type, gaps));
            flat[axis] = g.product(extent, step);
            piece = reshape::of(g, rows, flat);
            extent = g.minimum(flat[axis], rest);
            piece = of(g, piece, axis, 0, extent, 1);
        }
        detail::shape before = to, after = to;
        before[axis] = g.is_at_most(start, to[axis]) ? start : g.minimum(start, to[axis]);
        after[axis] = g.rest_of(rest, extent);
        const int front = concatenate::of(g, axis, zeros(g, g.nodes.at[piece].type, before), piece);
        const int all = concatenate::of(g, axis, front, zeros(g, g.nodes.at[piece].type, after));
        // start + extent + rest is the whole extent, whatever is known of them.
        g.unify(g.nodes.at[all].shape.extent[axis], to[axis], tie::declaration);
        return all;
    }

private:
    static constexpr std::int64_t furthest_number = 0x7fffffff;
    static constexpr bool fits(std::int64_t step) { return step < (1 << 27) && step >= -(1 << 27); }
    static constexpr detail::shape merged(arena& g, const detail::shape s, int first) {
        detail::shape out = s;
        out.rank = s.rank - 1;
        out[first] = g.product(s[first], s[first + 1]);
        for (int i = first + 1; i < out.rank; ++i) out[i] = s[i + 1];
        return out;
    }
    static constexpr void list_pieces(const arena& g, int axis, int id, vec<int>& out) {
        const node& n = g.nodes.at[id];
        if (n.what != tag<concatenate> || static_cast<int>(n.bits) != axis) return out.push(id);
        list_pieces(g, axis, n.in[0], out);
        list_pieces(g, axis, n.in[1], out);
    }
    static constexpr bool is_zero(const arena& g, int id) { return g.nodes.at[id].what == tag<broadcast> && g.is_literal(g.nodes.at[id].in[0], 0); }
    static constexpr int zeros(arena& g, element type, const detail::shape& s) { return broadcast::of(g, g.literal(type, 0), s); }
};

template <class C> constexpr void concatenate::pull(C& c, int id) {
    arena& g = c.g;
    const node n = g.nodes.at[id];
    const int axis = static_cast<int>(n.bits), cotangent = c.full(c.of[id], id);
    const size_ref first = g.nodes.at[n.in[0]].shape.extent[axis], second = g.nodes.at[n.in[1]].shape.extent[axis];
    if (c.wanted(n.in[0])) c.add(n.in[0], slice::of(g, cotangent, axis, 0, first, 1));
    if (c.wanted(n.in[1])) c.add(n.in[1], slice::of(g, cotangent, axis, first, second, 1));
}

}  // namespace croton::inline v0_1::detail::structure

#endif
