// SPDX-License-Identifier: MIT
// The same elements in row-major order under another shape.
#ifndef CROTON_GRAPH_STRUCTURE_RESHAPE_HPP
#define CROTON_GRAPH_STRUCTURE_RESHAPE_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

struct reshape {
    static constexpr std::string_view name = "reshape"sv;
    static constexpr placement place = placement::layout;

    static constexpr int of(arena& g, int a, const detail::shape& to) {
        if (g.same_shape(g.nodes.at[a].shape, to)) return a;
        if (g.nodes.at[a].what == tag<reshape>) a = g.nodes.at[a].in[0];
        if (g.same_shape(g.nodes.at[a].shape, to)) return a;
        node n = g.like(tag<reshape>, a);
        n.shape = to;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, n.in[0], n.shape); }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, b.at(n.in[0]), b.with_axis(n.shape)); }
    template <class C> static constexpr void pull(C& c, int id) {
        const int a = c.g[id].in[0];
        c.add(a, of(c.g, c.full(c.of[id], id), c.g[a].shape));
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
