// SPDX-License-Identifier: MIT
// The cotangents of a backward walk: what the derivative of a structure adds to, and what it adds them with.
#ifndef CROTON_GRAPH_COTANGENTS_HPP
#define CROTON_GRAPH_COTANGENTS_HPP

#include <croton/graph/structure/broadcast.hpp>
#include <croton/graph/structure/reduce.hpp>
#include <croton/graph/structure/view.hpp>
#include <croton/graph/term.hpp>

namespace croton::inline v0_1::detail {

/// The derivatives of what stands in the tables, by number. The template that takes one has them made: to read the library would take 3 % longer.
struct derivative_rules {
    void (*const* of_structure)(cotangents& c, int id);
    const pull_function* of_operator;
};

/// Cotangents may have fewer axes than their node, or extent 1 where it has more: they are repeated only where a product of
/// matrices or the caller needs all of them.
class cotangents {
public:
    arena& g;
    const derivative_rules& rules;
    vec<char> depends;  // by node: whether it depends on what is differentiated for
    vec<int> of;        // by node: its cotangent so far, or -1

    constexpr cotangents(arena& graph, const derivative_rules& of_tables) : g(graph), rules(of_tables) {}

    /// Adds what a node gives its arguments.
    constexpr void pull(int id) {
        const int what = g.nodes.at[id].what;
        const structure_facts& facts = *g.structures.at[what];
        if (facts.differentiable) (what < structures::size ? rules.of_structure[what] : facts.pull)(*this, id);
        else if (!g.failed()) g.error << "grad: " << facts.name << " has no derivative; " << facts.no_derivative;
    }

    constexpr term make(int id) const { return {&g, id}; }
    constexpr bool wanted(int a) const { return a >= 0 && depends.at[a] != 0; }
    constexpr bool any_wanted(const node& n) const {
        for (const int a : n.in)
            if (wanted(a)) return true;
        return false;
    }

    constexpr void add(int id, int cotangent) {
        if (g.is_literal(cotangent, 0)) {
            // A zero still says that the cost depends on the node.
            if (of.at[id] < 0) of.at[id] = cotangent;
            return;
        }
        of.at[id] = of.at[id] < 0 ? cotangent : (make(of.at[id]) + make(cotangent)).id;
    }
    constexpr void add(int id, term cotangent) { add(id, cotangent.id); }

    /// A cotangent of the node in all of its axes.
    constexpr int full(int cotangent, int id) const { return structure::broadcast::of(g, cotangent, g.nodes.at[id].shape); }

    constexpr term sum(term x, unsigned axes) const { return make(structure::reduce::of(g, reduction_code<reduction::sum>, axes, x.id)); }

    /// Sums a cotangent of shape `from` over the axes along which an argument of shape `to` was repeated.
    constexpr int unbroadcast(int c, const detail::shape to, const detail::shape from) const {
        unsigned axes = 0;
        size_ref repeated = 1;
        const int rank = g.nodes.at[c].shape.rank;
        for (int i = 0; i < from.rank; ++i) {
            const int in_to = i - (from.rank - to.rank), in_c = i - (from.rank - rank);
            const bool was_repeated = g.find(from.extent[i]) != 1 && (in_to < 0 || g.find(to.extent[in_to]) == 1);
            if (!was_repeated) continue;
            if (in_c >= 0 && g.find(g.nodes.at[c].shape.extent[in_c]) != 1) axes |= 1u << in_c;
            else repeated = g.product(repeated, from.extent[i]);
        }
        c = sum(make(c), axes).id;
        if (rank > to.rank) {
            std::array<int, max_rank> source{};
            for (int i = 0; i < to.rank; ++i) source[static_cast<unsigned>(i)] = i + rank - to.rank;
            c = structure::view::of(g, c, to.rank, source);
        }
        return repeated == 1 ? c : (make(c) * make(g.size(g.nodes.at[c].type, repeated))).id;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
