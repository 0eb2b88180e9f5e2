// SPDX-License-Identifier: MIT
// Cumulative sums, products and the like along an axis, and what their derivatives are made of.
#ifndef CROTON_GRAPH_STRUCTURE_CUMULATE_HPP
#define CROTON_GRAPH_STRUCTURE_CUMULATE_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structures.hpp>
#include <croton/kernel/routine/cumulate.hpp>

namespace croton::inline v0_1::detail::structure {

// Functions of any graph G, which is the arena: what no program asks for is not compiled.

/// For each element the sum of the c before it along the axis, each times the a between: sum_{i<k} c_i prod_{i<j<k} a_j. It and what it
/// is a derivative of need no division, so that zeros are like other numbers. Both arguments have the shape of the result.
struct weighted_cumsum {  // bits: the axis, and whether it runs from the end
    static constexpr std::string_view name = "weighted_cumsum"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;

    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        const term from = c.make(of(c.g, kernel::axis_of(n.bits), !is_reversed(n), n.in[0], c.full(c.of[id], id)));
        if (c.wanted(n.in[1])) c.add(n.in[1], from);
        if (c.wanted(n.in[0])) c.add(n.in[0], c.make(id) * from);
    }

    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    template <class G> static constexpr int of(G& g, int axis, bool reversed, int a, int c) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, weighted_cumsum>>), a);
        n.bits = kernel::along_axis(axis, kernel::cumulate_exclusive | (reversed ? kernel::cumulate_reversed : 0));
        n.in[1] = c;
        return g.intern(n);
    }
    static constexpr bool is_reversed(const node& n) { return (kernel::attributes_of(n.bits) & kernel::cumulate_reversed) != 0; }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::axis_of(n.bits), is_reversed(n), n.in[0], n.in[1]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) {
        return &kernel::routine_of<later<N, kernel::cumulate<kernel::cumulated::weighted_sum>>>::facts;
    }
};

struct cumulate {  // fn: the rule; bits: the axis and the routine's attributes
    static constexpr std::string_view name = "cumulate"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;
    using rules = type_list<kernel::cumulated::sum, kernel::cumulated::product, kernel::cumulated::log_sum,
                            kernel::cumulated::maximum, kernel::cumulated::minimum>;
    template <class Rule> static constexpr int rule = index_in<Rule, rules>::value;

    template <class C> static constexpr void pull(C& cotangents, int id) {
        auto& g = cotangents.g;
        const node n = g.nodes.at[id];
        const int axis = kernel::axis_of(n.bits);
        const std::int64_t attributes = kernel::attributes_of(n.bits);
        const bool back = (attributes & kernel::cumulate_reversed) == 0, exclusive = (attributes & kernel::cumulate_exclusive) != 0;
        const term x = cotangents.make(n.in[0]), y = cotangents.make(id), c = cotangents.make(cotangents.full(cotangents.of[id], id));
        // Terms drop the axes of what is the same everywhere.
        const auto whole = [&](term part) { return cotangents.make(cotangents.full(part.id, id)); };
        const auto weighted = [&](term a, term from) { return cotangents.make(weighted_cumsum::of(g, axis, back, a.id, from.id)); };
        if (n.fn == rule<kernel::cumulated::sum>) {
            cotangents.add(x.id, of(g, n.fn, axis, attributes ^ kernel::cumulate_reversed, c.id));
        } else if (n.fn == rule<kernel::cumulated::product>) {
            // An element is a factor of its own product, and of those behind it: what lies before it, times c and the factors between.
            const term before = cotangents.make(of(g, n.fn, axis, attributes | kernel::cumulate_exclusive, x.id));
            cotangents.add(x.id, before * (exclusive ? weighted(x, c) : c + weighted(x, whole(x * c))));
        } else {
            // e^(x - y) is the share of an element in its own sum, and e^(y before it - y) that of all the others. The first is its sum. Of an extreme an element
            // has all or nothing, the last one of equals: NaN stands beside its like, too.
            const term one = y.literal(1), share = n.fn == rule<kernel::cumulated::log_sum> ? where_of(x == y, one, exp_of(x - y)) : where_of(x == x, where_of(x == y, one, y.literal(0)), one);
            const term rest = one - share;
            cotangents.add(x.id, share * (c + weighted(whole(rest), whole(rest * c))));
        }
    }

    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    static constexpr bool is_extreme(int fn) { return fn == rule<kernel::cumulated::maximum> || fn == rule<kernel::cumulated::minimum>; }
    /// Integers and bools are added and multiplied in 64 bits, unsigned ones in uint64.
    template <class G> static constexpr int of(G& g, int fn, int axis, std::int64_t attributes, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, cumulate>>), a);
        if (!is_floating(n.type) && !is_extreme(fn)) n.type = is_unsigned(n.type) ? element::uint64 : element::int64;
        n.fn = static_cast<std::uint8_t>(fn);
        n.bits = kernel::along_axis(axis, attributes);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, n.fn, kernel::axis_of(n.bits), kernel::attributes_of(n.bits), n.in[0]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N& n) {
        constexpr const kernel::routine_facts* facts[] = {&kernel::routine_of<later<N, kernel::cumulate<kernel::cumulated::sum>>>::facts,
                                                          &kernel::routine_of<later<N, kernel::cumulate<kernel::cumulated::product>>>::facts,
                                                          &kernel::routine_of<later<N, kernel::cumulate<kernel::cumulated::log_sum>>>::facts,
                                                          &kernel::routine_of<later<N, kernel::cumulate<kernel::cumulated::maximum>>>::facts,
                                                          &kernel::routine_of<later<N, kernel::cumulate<kernel::cumulated::minimum>>>::facts};
        return facts[n.fn];
    }
    static constexpr void describe(const arena& g, text_builder& out, const node& n) { out << "the result of " << g.structure_of(n).routine(n)->name; }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
