// SPDX-License-Identifier: MIT
// The argument's value in another element type.
#ifndef CROTON_GRAPH_STRUCTURE_CAST_HPP
#define CROTON_GRAPH_STRUCTURE_CAST_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/arena.hpp>

namespace croton::inline v0_1::detail::structure {

struct cast {
    static constexpr std::string_view name = "cast"sv;
    static constexpr placement place = placement::loop;
    static constexpr bool is_lasting = true;

    static constexpr int of(arena& g, element type, int a) {
        if (g.nodes.at[a].type == type) return a;
        // What is only stored converts from and to float.
        if (is_stored_only(type) && g.nodes.at[a].type != element::float32) a = of(g, element::float32, a);
        else if (is_stored_only(g.nodes.at[a].type) && type != element::float32) a = of(g, element::float32, a);
        if (g.is_literal(a) && (is_floating(type) || !is_floating(g.nodes.at[a].type)))
            return is_floating(type) ? g.literal(type, g.literal_value(a)) : g.literal(type, g.nodes.at[a].bits);
        node n = g.like(tag<cast>, a);
        n.type = type;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, n.type, n.in[0]); }
    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, n.type, b.at(n.in[0])); }
    template <class C> static constexpr void pull(C& c, int id) {
        const int a = c.g[id].in[0];
        c.add(a, of(c.g, arithmetic_of(c.g[a].type), c.of[id]));
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
