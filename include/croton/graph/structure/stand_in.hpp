// SPDX-License-Identifier: MIT
// The value of one node with the derivative of another.
#ifndef CROTON_GRAPH_STRUCTURE_STAND_IN_HPP
#define CROTON_GRAPH_STRUCTURE_STAND_IN_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

/// What is fast to compute for what can be differentiated again, or a value beside its derivative; only until the program is rewritten.
struct stand_in {
    static constexpr std::string_view name = "stand_in"sv;
    static constexpr placement place = placement::expands;

    /// The value of `a`, whose derivative is that of `b`. Both have the same value and shape.
    static constexpr int of(arena& g, int a, int b) {
        node n = g.like(tag<stand_in>, a);
        n.in[1] = b;
        return g.intern(n);
    }
    /// The value of `a`, whose derivative for `x` is `slope`, for `y`, if there is one, `slope_y`, and for nothing else. Slopes have the shape of `a`, and what
    /// they are for may be repeated in it.
    static constexpr int sloped(arena& g, int a, int x, int slope, int y = -1, int slope_y = -1) {
        node n = g.like(tag<stand_in>, a);
        n.in[1] = x;
        n.in[2] = slope;
        n.in[3] = y;
        n.in[4] = slope_y;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return g.intern(n); }
    template <class B> static constexpr int batch(B& b, const node& n) {
        const int value = b.whole(n.in[0]);
        if (n.in[2] < 0) return of(b.g, value, b.at(n.in[1]));
        const auto behind = [&](int i) { return b.behind(n.in[i], n.shape.rank); };
        return sloped(b.g, value, behind(1), behind(2), behind(3), behind(4));
    }
    static constexpr int expand(arena&, const node& n) { return n.in[0]; }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) { g.describe(out, n.in[0]); }
    template <class C> static constexpr void pull(C& c, int id) {
        for (int i = 1; i + 1 < max_arguments; i += 2) {
            const int b = c.g[id].in[i], slope = c.g[id].in[i + 1];
            if (c.wanted(b)) c.add(b, slope < 0 ? c.of[id] : c.unbroadcast((c.make(c.of[id]) * c.make(slope)).id, c.g[b].shape, c.g[id].shape));
        }
    }

    /// Leaves the values where nothing will be differentiated any more.
    static constexpr void drop(arena& g, vec<int>& roots) {
        const auto value = [&](int id) {
            while (id >= 0 && g.nodes.at[id].what == tag<stand_in>) id = g.nodes.at[id].in[0];
            return id;
        };
        bool any = false;
        for (const node& n : g.nodes) any = any || n.what == tag<stand_in>;
        if (!any) return;
        g.edited = true;
        for (node& n : g.nodes)
            for (int& a : n.in) a = value(a);
        for (int& id : g.rewritten) id = value(id);
        for (int& id : roots) id = value(id);
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
