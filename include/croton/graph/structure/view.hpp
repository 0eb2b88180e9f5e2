// SPDX-License-Identifier: MIT
// Axes in another order, left out where their extent is 1, or new with extent 1.
#ifndef CROTON_GRAPH_STRUCTURE_VIEW_HPP
#define CROTON_GRAPH_STRUCTURE_VIEW_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

struct view {  // bits: for each axis 4 bits, the argument's axis or `new_axis`; axes of the argument that are left out have extent 1
    static constexpr std::string_view name = "view"sv;
    static constexpr placement place = placement::alias;
    static constexpr bool is_lasting = true;

    /// `source[i]` is the axis of `a` that axis i of the result shows, or `new_axis`.
    static constexpr int of(arena& g, int a, int rank, const std::array<int, max_rank>& source) {
        if (g.nodes.at[a].what == tag<view>) {
            // A view of a view is one view. A new axis where the inner view dropped one is that axis again.
            const node inner = g.nodes.at[a];
            const int base = inner.in[0];
            std::array<int, max_rank> composed{};
            unsigned used = 0;
            for (int i = 0; i < rank; ++i) {
                const int s = source[static_cast<unsigned>(i)];
                composed[static_cast<unsigned>(i)] = s == new_axis ? new_axis : view_axis(inner.bits, s);
                if (composed[static_cast<unsigned>(i)] != new_axis) used |= 1u << composed[static_cast<unsigned>(i)];
            }
            for (int i = 0; i < rank; ++i)
                if (composed[static_cast<unsigned>(i)] == new_axis) {
                    const int after = i == 0 ? -1 : composed[static_cast<unsigned>(i - 1)];
                    const int candidate = after == new_axis ? -1 : after + 1;
                    if (candidate >= 0 && candidate < g.nodes.at[base].shape.rank && ((used >> candidate) & 1u) == 0) {
                        composed[static_cast<unsigned>(i)] = candidate;
                        used |= 1u << candidate;
                    }
                }
            return of(g, base, rank, composed);
        }
        if (g.nodes.at[a].shape.rank == 0 && g.is_literal(a) && rank == 0) return a;
        bool identity = rank == g.nodes.at[a].shape.rank;
        node n;
        n.what = tag<view>;
        n.type = g.nodes.at[a].type;
        n.in[0] = a;
        n.shape.rank = rank;
        for (int i = 0; i < rank; ++i) {
            const int s = source[static_cast<unsigned>(i)];
            n.bits = with_view_axis(n.bits, i, s);
            n.shape.extent[i] = s == new_axis ? 1 : g.nodes.at[a].shape.extent[s];
            identity = identity && s == i;
        }
        return identity ? a : g.intern(n);
    }

    static constexpr int again(arena& g, const node& n) {
        std::array<int, max_rank> source{};
        for (int i = 0; i < n.shape.rank; ++i) source[static_cast<unsigned>(i)] = view_axis(n.bits, i);
        return of(g, n.in[0], n.shape.rank, source);
    }
    template <class B> static constexpr int batch(B& b, const node& n) {
        std::array<int, max_rank> source{};
        for (int i = 1; i <= n.shape.rank; ++i) {
            const int s = view_axis(n.bits, i - 1);
            source[static_cast<unsigned>(i)] = s == new_axis ? new_axis : s + 1;
        }
        return of(b.g, b.at(n.in[0]), n.shape.rank + 1, source);
    }
    static constexpr int source(const node& n, int, int axis) { return view_axis(n.bits, axis); }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) {
        g.describe(out, n.in[0]);
        if (n.shape.rank == 2 && g.nodes.at[n.in[0]].shape.rank == 2) out << " transposed";
    }

    /// Each axis goes back to where the view took it from.
    template <class C> static constexpr void pull(C& c, int id) {
        arena& g = c.g;
        const node n = g.nodes.at[id];
        const int cotangent = c.of[id], count = g.nodes.at[cotangent].shape.rank;
        if (count == 0) return c.add(n.in[0], cotangent);
        const int rank = g.nodes.at[n.in[0]].shape.rank, lead = n.shape.rank - count;
        std::array<int, max_rank> back{};
        for (int i = 0; i < rank; ++i) back[static_cast<unsigned>(i)] = new_axis;
        for (int i = lead; i < n.shape.rank; ++i)
            if (const int s = view_axis(n.bits, i); s != new_axis) back[static_cast<unsigned>(s)] = i - lead;
        c.add(n.in[0], of(g, cotangent, rank, back));
    }
};

/// A matrix, or each matrix of a batch, transposed.
constexpr int transposed(arena& g, int a) {
    const int rank = g.nodes.at[a].shape.rank;
    std::array<int, max_rank> source{};
    for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i < rank - 2 ? i : 2 * rank - 3 - i;
    return view::of(g, a, rank, source);
}

}  // namespace croton::inline v0_1::detail::structure

#endif
