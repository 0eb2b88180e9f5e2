// SPDX-License-Identifier: MIT
// An elementwise operator on arguments that are repeated as in NumPy.
#ifndef CROTON_GRAPH_STRUCTURE_APPLY_HPP
#define CROTON_GRAPH_STRUCTURE_APPLY_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/pull.hpp>

namespace croton::inline v0_1::detail::structure {

struct apply {  // fn: the operator
    static constexpr std::string_view name = "apply"sv;
    static constexpr placement place = placement::loop;
    static constexpr bool is_lasting = true;
    static constexpr int again(arena& g, const node& n) { return g.apply(n.fn, n.in[0], n.in[1], n.in[2]); }
    template <class B> static constexpr int batch(B& b, const node& n) {
        return b.g.apply(n.fn, b.behind(n.in[0], n.shape.rank), b.behind(n.in[1], n.shape.rank), b.behind(n.in[2], n.shape.rank));
    }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) { out << "the result of " << g.facts(n.fn).name; }

    template <class C> static constexpr void pull(C& c, int id) {
        arena& g = c.g;
        const node n = g.nodes.at[id];
        const bool in_table = n.fn < operators::size;
        if (!in_table && !g.facts(n.fn).differentiable) {
            if (!g.failed())
                g.error << "grad: " << g.facts(n.fn).name << " has no derivative; give its struct a function pull(g, y, x) "
                        << "that returns the cotangents of its arguments";
            return;
        }
        const pull_function pulls = in_table ? c.rules.of_operator[n.fn] : g.facts(n.fn).pull;
        const auto parts = pulls(c.make(c.of[id]), c.make(id), c.make(n.in[0]), c.make(n.in[1]), c.make(n.in[2]));
        for (int i = 0; i < 3; ++i) {
            const int argument = n.in[i];
            if (c.wanted(argument) && parts[static_cast<unsigned>(i)])
                c.add(argument, c.unbroadcast(parts[static_cast<unsigned>(i)].id, g.nodes.at[argument].shape, n.shape));
        }
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
