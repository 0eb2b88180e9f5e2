// SPDX-License-Identifier: MIT
// The last word on cross-entropy: a loss near 0 keeps its digits.
#ifndef CROTON_REWRITE_LOSSES_HPP
#define CROTON_REWRITE_LOSSES_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// k softplus(u) - y u becomes k softplus(-|u|) + u (where(u > 0, k, 0) - y). Both are the same number, but for y = k and a
/// large u the first takes a large number from a large one and leaves 0 where the loss is e^-u, and NaN where u is infinite.
/// It comes late, because the rules and the derivatives know the first form.
constexpr int small_loss(arena& g, int first, int taken) {
    const bool scaled = g.is<op::multiply>(first) && g.is_literal(g.nodes.at[first].in[1]);
    const int plus = scaled ? g.nodes.at[first].in[0] : first;
    if (!g.is<op::softplus>(plus) || !g.is<op::multiply>(taken)) return -1;
    const int u = g.nodes.at[plus].in[0];
    if (g.nodes.at[taken].in[0] != u && g.nodes.at[taken].in[1] != u) return -1;
    const int y = g.nodes.at[taken].in[g.nodes.at[taken].in[0] == u ? 1 : 0], k = scaled ? g.nodes.at[first].in[1] : g.literal(g.nodes.at[u].type, 1);
    const int zero = g.literal(g.nodes.at[u].type, 0), step = g.apply(code<op::where>, g.apply(code<op::greater>, u, zero), k, zero);
    int tail = g.apply(code<op::softplus>, g.apply(code<op::negative>, g.apply(code<op::absolute>, u)));
    if (scaled) tail = g.apply(code<op::multiply>, tail, k);
    return g.apply(code<op::add>, tail, g.apply(code<op::multiply>, u, g.apply(code<op::subtract>, step, y)));
}

constexpr void keep_small_losses(arena& g, vec<int>& roots) {
    const int count = g.nodes.size();
    int first = 0;
    while (first < count && !(g.nodes.at[first].fn == code<op::softplus> && g.nodes.at[first].what == tag<structure::apply>)) ++first;
    if (first == count) return;
    const liveness live(g, roots);
    const auto has_softplus = [&](int id) { return g.is<op::softplus>(id) || (g.is<op::multiply>(id) && g.is<op::softplus>(g.nodes.at[id].in[0])); };
    bool any = false;
    for (int id = 0; id < count && !any; ++id)
        any = live.uses.at[id] > 0 && g.is<op::subtract>(id) && (has_softplus(g.nodes.at[id].in[0]) || has_softplus(g.nodes.at[id].in[1]));
    if (!any) return;
    vec<int> map;
    rebuild_live(g, roots, live, map, [&](int id) {
        if (!g.is<op::subtract>(id)) return -1;
        const node n = with_arguments(g, id, map);
        if (const int made = small_loss(g, n.in[0], n.in[1]); made >= 0) return made;
        const int turned = small_loss(g, n.in[1], n.in[0]);
        return turned < 0 ? -1 : g.apply(code<op::negative>, turned);
    });
}

}  // namespace croton::inline v0_1::detail

#endif
