// SPDX-License-Identifier: MIT
// What is one node for the rules becomes the nodes it stands for.
#ifndef CROTON_REWRITE_EXPAND_HPP
#define CROTON_REWRITE_EXPAND_HPP

#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

constexpr void expand(arena& g, vec<int>& roots) {
    vec<int> map;
    rebuild_live(g, roots, liveness(g, roots), map, [&](int id) {
        if (g.nodes.at[id].place != placement::expands) return -1;
        const node n = with_arguments(g, id, map);
        return g.structure_of(n).expand(g, n);
    });
}

}  // namespace croton::inline v0_1::detail

#endif
