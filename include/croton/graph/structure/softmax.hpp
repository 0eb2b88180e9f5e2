// SPDX-License-Identifier: MIT
// Softmax and its family: one node for the rules, and rows with the maximum taken off when they are planned.
#ifndef CROTON_GRAPH_STRUCTURE_SOFTMAX_HPP
#define CROTON_GRAPH_STRUCTURE_SOFTMAX_HPP

#include <bit>
#include <limits>

#include <croton/core/literals.hpp>
#include <croton/graph/structure/reduce.hpp>

namespace croton::inline v0_1::detail::structure {

/// The largest number of an element type, float or double.
constexpr double largest_of(element type) { return type == element::float64 ? std::numeric_limits<double>::max() : static_cast<double>(std::numeric_limits<float>::max()); }

/// What the three have in common: m = max(x) and s = sum(e^(x - m)), which nodes of the same x share.
template <class Row> struct row_operation {  // bits: the mask of axes
    static constexpr placement place = placement::expands;

    static constexpr int of(arena& g, unsigned axes, int a) {
        node n = g.like(tag<Row>, a);
        n.bits = axes;
        if constexpr (!Row::keeps)
            for (int i = 0; i < n.shape.rank; ++i)
                if ((axes >> i) & 1u) n.shape.extent[i] = 1;
        return g.intern(n);
    }
    static constexpr int again(arena& g, const node& n) { return of(g, static_cast<unsigned>(n.bits), n.in[0]); }

    template <class B> static constexpr int batch(B& b, const node& n) { return of(b.g, static_cast<unsigned>(n.bits) << 1, b.at(n.in[0])); }

    static constexpr int expand(arena& g, const node& n) {
        const int x = n.in[0];
        const unsigned axes = static_cast<unsigned>(n.bits);
        int m = reduce::of(g, reduction_code<reduction::max>, axes, x);
        // An infinite maximum is not taken off: inf - inf would be NaN where the answer is infinite, or 0 beside an infinity.
        const double largest = largest_of(n.type);
        m = g.apply(code<op::clip>, m, g.literal(n.type, -largest), g.literal(n.type, largest));
        const int shifted = g.apply(code<op::subtract>, x, m);
        const int e = g.apply(code<op::exp>, shifted);
        return Row::made_of(g, m, shifted, e, reduce::of(g, reduction_code<reduction::sum>, axes, e));
    }
};

/// Whether a node is a maximum that `expand` makes finite.
constexpr bool is_made_finite(const node* nodes, const node& n) {
    return n.what == tag<structure::apply> && n.fn == code<op::clip> && nodes[n.in[1]].what == tag<structure::literal> && std::bit_cast<double>(nodes[n.in[1]].bits) == -largest_of(n.type);
}

struct softmax : row_operation<softmax> {  // e^(x - m) / s
    static constexpr std::string_view name = "softmax"sv;
    static constexpr bool keeps = true;  // the shape of its argument

    static constexpr int made_of(arena& g, int, int, int e, int s) {
        return g.apply(code<op::multiply>, e, g.apply(code<op::divide>, g.literal(g.nodes.at[e].type, 1), s));
    }
    template <class C> static constexpr void pull(C& c, int id) {  // y (c - sum(c y))
        const node n = c.g[id];
        const term y = c.make(id), from = c.make(c.of[id]);
        c.add(n.in[0], y * (from - c.sum(from * y, static_cast<unsigned>(n.bits))));
    }
};

struct log_softmax : row_operation<log_softmax> {  // x - m - log s
    static constexpr std::string_view name = "log_softmax"sv;
    static constexpr bool keeps = true;

    static constexpr int made_of(arena& g, int, int shifted, int, int s) { return g.apply(code<op::subtract>, shifted, g.apply(code<op::log>, s)); }
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        const unsigned axes = static_cast<unsigned>(n.bits);
        const term y = c.make(softmax::of(c.g, axes, n.in[0]));
        c.add(n.in[0], c.make(c.of[id]) - y * c.sum(c.make(c.full(c.of[id], id)), axes));
    }
};

struct logsumexp : row_operation<logsumexp> {  // m + log s
    static constexpr std::string_view name = "logsumexp"sv;
    static constexpr bool keeps = false;

    static constexpr int made_of(arena& g, int m, int, int, int s) { return g.apply(code<op::add>, m, g.apply(code<op::log>, s)); }
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        c.add(n.in[0], c.make(c.of[id]) * c.make(softmax::of(c.g, static_cast<unsigned>(n.bits), n.in[0])));
    }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
