// SPDX-License-Identifier: MIT
// The argument repeated to a shape.
#ifndef CROTON_GRAPH_STRUCTURE_BROADCAST_HPP
#define CROTON_GRAPH_STRUCTURE_BROADCAST_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

struct broadcast {
    static constexpr std::string_view name = "broadcast_to"sv;
    static constexpr placement place = placement::alias;

    static constexpr int of(arena& g, int a, const detail::shape& to) {
        if (g.same_shape(g.nodes.at[a].shape, to)) return a;
        if (g.nodes.at[a].what == tag<broadcast>) a = g.nodes.at[a].in[0];
        node n = g.like(tag<broadcast>, a);
        n.shape = to;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, n.in[0], n.shape); }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, b.behind(n.in[0], n.shape.rank), b.with_axis(n.shape)); }
    static constexpr int source(const node& n, int rank, int axis) {
        const int shown = axis - (n.shape.rank - rank);
        return shown >= 0 ? shown : new_axis;
    }
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        c.add(n.in[0], c.unbroadcast(c.of[id], c.g[n.in[0]].shape, n.shape));
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
