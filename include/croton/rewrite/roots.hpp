// SPDX-License-Identifier: MIT
// Roots of sums of squares, which are guarded for their derivative's sake.
#ifndef CROTON_REWRITE_ROOTS_HPP
#define CROTON_REWRITE_ROOTS_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// where(x == 0, 0, sqrt(where(x == 0, 1, x))), whose derivative is 0 where x is, as sqrt(x), where nothing else reads the root: nobody takes its derivative any more.
constexpr void free_roots(arena& g, vec<int>& roots, fired_rules& counts) {
    const int count = g.nodes.size();
    int first = 0;
    while (first < count && !(g.nodes.at[first].fn == code<op::sqrt> && g.nodes.at[first].what == tag<structure::apply>)) ++first;
    if (first == count) return;
    const liveness live(g, roots);
    const builder rules(g, counts);
    const auto guarded = [&](int id) {
        if (!g.is<op::where>(id)) return -1;
        const int zero = g.nodes.at[id].in[0], nothing = rules.strip_broadcast(g.nodes.at[id].in[1]), root = g.nodes.at[id].in[2];
        if (!g.is<op::sqrt>(root) || live.uses.at[root] > 1 || !g.is<op::equal>(zero)) return -1;
        const int guard = g.nodes.at[root].in[0];
        if (!g.is<op::where>(guard) || live.uses.at[guard] > 1 || g.nodes.at[guard].in[0] != zero) return -1;
        const int x = g.nodes.at[guard].in[2];
        const bool at_zero = g.nodes.at[zero].in[0] == x && g.is_literal(rules.strip_broadcast(g.nodes.at[zero].in[1]), 0);
        return at_zero && g.is_literal(nothing, 0) && g.nodes.at[nothing].bits == 0 && rules.is_nonnegative(x) ? x : -1;
    };
    bool any = false;
    for (int id = first; id < count && !any; ++id) any = live.uses.at[id] > 0 && guarded(id) >= 0;
    if (!any) return;
    vec<int> map;
    rebuild_live(g, roots, live, map, [&](int id) {
        const int x = guarded(id);
        if (x < 0) return -1;
        counts.add(rule::guarded_root);
        return g.apply(code<op::sqrt>, map.at[x]);
    });
}

}  // namespace croton::inline v0_1::detail

#endif
