// SPDX-License-Identifier: MIT
// The last word on cross-entropy: a loss near 0 keeps its digits.
#ifndef CROTON_REWRITE_LOSSES_HPP
#define CROTON_REWRITE_LOSSES_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// softplus(u) - y u becomes softplus(-|u|) + (relu(u) - y u). Both are the same number, but for y = 1 and a large u the
/// first takes a large number from a large one and leaves 0 where the loss is e^-u. It comes late, because the rules and the
/// derivatives know the first form.
constexpr void keep_small_losses(arena& g, vec<int>& roots) {
    const int count = g.nodes.size();
    const liveness live(g, roots);
    bool any = false;
    for (int id = 0; id < count && !any; ++id) any = live.uses[id] > 0 && g.is<op::subtract>(id) && g.is<op::softplus>(g[id].in[0]);
    if (!any) return;
    vec<int> map(count, -1);
    for (int id = 0; id < count; ++id) {
        if (live.uses[id] == 0) continue;
        const node n = with_arguments(g, id, map);
        int made = -1;
        if (g.is<op::subtract>(id) && g.is<op::softplus>(n.in[0])) {
            const int u = g[n.in[0]].in[0], taken = n.in[1];
            if (g.is<op::multiply>(taken) && (g[taken].in[0] == u || g[taken].in[1] == u)) {
                const int tail = g.apply(code<op::softplus>, g.apply(code<op::negative>, g.apply(code<op::absolute>, u)));
                made = g.apply(code<op::add>, tail, g.apply(code<op::subtract>, g.apply(code<op::relu>, u), taken));
            }
        }
        map[id] = made >= 0 ? made : n.what == kind::input ? id : rebuild(g, n);
        if (g[id].name >= 0 && g[map[id]].name < 0) g.nodes[map[id]].name = g[id].name;
    }
    for (int i = 0; i < roots.size(); ++i) roots[i] = map[roots[i]];
}

}  // namespace croton::inline v0_1::detail

#endif
