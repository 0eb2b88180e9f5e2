// SPDX-License-Identifier: MIT
// Elements picked by computed indices along one axis: a load that an index displaces.
#ifndef CROTON_GRAPH_STRUCTURE_GATHER_HPP
#define CROTON_GRAPH_STRUCTURE_GATHER_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structure/arange.hpp>
#include <croton/graph/structure/cast.hpp>
#include <croton/graph/structure/reshape.hpp>
#include <croton/graph/structure/view.hpp>

namespace croton::inline v0_1::detail::structure {

/// Zeros of the shape of `like`, and `values` added where the indices lead: what the derivative of a gather is.
constexpr int added_up(arena& g, int like, int indices, int values, int axis, bool aligned);

/// Arguments: the table, which lies in memory, and the indices. Negative ones count from the end; others that name nothing are moved
/// to the nearest that does, so that no memory but the table's is read whatever the indices are.
struct gather {  // bits: the axis of the table, 16 where the other axes of the indices are those of the table, and 32 where a median or a quantile is picked
    static constexpr std::string_view name = "take"sv;
    static constexpr placement place = placement::loop;
    static constexpr bool is_lasting = true;

    static constexpr int axis_of(const node& n) { return static_cast<int>(n.bits & 15); }
    static constexpr bool is_aligned(const node& n) { return (n.bits & 16) != 0; }
    static constexpr bool is_quantile(const node& n) { return (n.bits & 32) != 0; }
    static constexpr std::string_view name_of(const node& n) { return is_aligned(n) ? "take_along_axis" : name; }

    /// The axis of the result that axis `i` of argument `k` lies along; -1 for the one that the indices stand for.
    static constexpr int axis_of_argument(const node& n, int rank_of_indices, int k, int i) {
        const int axis = axis_of(n);
        if (k == 0 && i == axis) return -1;
        if (is_aligned(n)) return i;
        return k == 1 ? axis + i : i < axis ? i : i + rank_of_indices - 1;
    }

    static constexpr int of(arena& g, int table, int indices, int axis, bool aligned, bool quantile = false) {
        node n = g.like(tag<gather>, table);
        n.in[1] = indices;
        n.bits = axis | (aligned ? 16 : 0) | (quantile ? 32 : 0);
        n.shape = aligned ? along(g, table, indices, axis) : picked(g, table, indices, axis);
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, n.in[0], n.in[1], axis_of(n), is_aligned(n), is_quantile(n)); }
    /// Tables that differ lie one behind the other in one table, and the indices of each count from its own start.
    template <class B> static constexpr int batch(B& b, const node& n) {
        arena& g = b.g;
        const int axis = axis_of(n);
        if (is_aligned(n)) return of(g, aligned_part(b, n.in[0]), aligned_part(b, n.in[1]), axis + 1, true, is_quantile(n));
        if (!b.varies(n.in[1])) return of(g, b.at(n.in[0]), b.at(n.in[1]), axis + 1, false, is_quantile(n));
        int table = b.at(n.in[0]), index = b.at(n.in[1]);
        const detail::shape from = g.nodes.at[n.in[0]].shape;
        if (b.varies(n.in[0])) {
            std::array<int, max_rank> beside{};
            for (int i = 0; i <= from.rank; ++i) beside[static_cast<unsigned>(i)] = i < axis ? i + 1 : i == axis ? 0 : i;
            detail::shape one = from;
            one[axis] = g.product(b.count, from[axis]);
            table = reshape::of(g, view::of(g, table, from.rank + 1, beside), one);
            index = cast::of(g, element::int64, index);
            const int extent = g.size(element::int64, from[axis]), zero = g.literal(element::int64, 0);
            index = g.apply(code<op::where>, g.apply(code<op::less>, index, zero), g.apply(code<op::add>, index, extent), index);
            index = g.apply(code<op::clip>, index, zero, g.apply(code<op::subtract>, extent, g.literal(element::int64, 1)));
            std::array<int, max_rank> column{};
            for (int i = 1; i < max_rank; ++i) column[static_cast<unsigned>(i)] = new_axis;
            const int first = view::of(g, g.apply(code<op::multiply>, arange::of(g, element::int64, b.count), extent), g.nodes.at[index].shape.rank, column);
            index = g.apply(code<op::add>, index, first);
        }
        const int made = of(g, table, index, axis, false, is_quantile(n));
        std::array<int, max_rank> front{};
        for (int i = 0; i <= n.shape.rank; ++i) front[static_cast<unsigned>(i)] = i == 0 ? axis : i <= axis ? i - 1 : i;
        return view::of(g, made, n.shape.rank + 1, front);
    }
    static constexpr void describe(const arena&, text_builder& out, const node& n) { out << "the result of " << name_of(n); }

    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        if (c.wanted(n.in[0])) c.add(n.in[0], added_up(c.g, n.in[0], n.in[1], c.full(c.of[id], id), axis_of(n), is_aligned(n)));
    }

private:
    /// What is the same for each is repeated.
    template <class B> static constexpr int aligned_part(B& b, int a) {
        if (b.varies(a)) return b.at(a);
        std::array<int, max_rank> source{};
        for (int i = 0; i < max_rank; ++i) source[static_cast<unsigned>(i)] = i == 0 ? new_axis : i - 1;
        return view::of(b.g, b.at(a), b.g.nodes.at[a].shape.rank + 1, source);
    }

    /// The axis gives way to those of the indices.
    static constexpr detail::shape picked(const arena& g, int table, int indices, int axis) {
        const detail::shape& from = g.nodes.at[table].shape;
        const detail::shape& by = g.nodes.at[indices].shape;
        detail::shape out;
        out.rank = from.rank + by.rank - 1;
        for (int i = 0; i < axis; ++i) out[i] = from[i];
        for (int i = 0; i < by.rank; ++i) out[axis + i] = by[i];
        for (int i = axis + 1; i < from.rank; ++i) out[i + by.rank - 1] = from[i];
        return out;
    }

    /// The indices as they are, repeated by NumPy's rule along the other axes.
    static constexpr detail::shape along(arena& g, int table, int indices, int axis) {
        detail::shape out = g.nodes.at[indices].shape;
        for (int i = 0; i < out.rank; ++i) {
            if (i == axis) continue;
            const size_ref a = g.nodes.at[table].shape.extent[i], b = out[i];
            if (g.find(b) == 1) out[i] = a;
            if (g.find(a) == 1 || g.find(b) == 1 || g.unify(a, b, tie::take_along_axis) || g.failed()) continue;
            g.error << "take_along_axis: ";
            g.say_extents(table, a, indices, b, i - out.rank);
        }
        return out;
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
