// SPDX-License-Identifier: MIT
// What is one node for the rules becomes the nodes it stands for.
#ifndef CROTON_REWRITE_EXPAND_HPP
#define CROTON_REWRITE_EXPAND_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

constexpr void expand(arena& g, vec<int>& roots) {
    const int count = g.nodes.size();
    const liveness live(g, roots);
    vec<int> map;
    map.resize_unset(count);
    for (int id = 0; id < count; ++id) {
        if (live.uses.at[id] == 0) continue;
        if (g.nodes.at[id].place != placement::expands) {
            map.at[id] = rebuild(g, id, map);
        } else {
            const node n = with_arguments(g, id, map);
            map.at[id] = g.structure_of(n).expand(g, n);
        }
        if (g.nodes.at[id].name >= 0 && g.nodes.at[map.at[id]].name < 0) g.nodes[map.at[id]].name = g.nodes.at[id].name;
    }
    g.deriving = false;
    for (int i = 0; i < roots.size(); ++i) roots.at[i] = map.at[roots.at[i]];
}

}  // namespace croton::inline v0_1::detail

#endif
