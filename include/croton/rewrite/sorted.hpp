// SPDX-License-Identifier: MIT
// What is sorted twice, for its elements and for their places, is sorted once.
#ifndef CROTON_REWRITE_SORTED_HPP
#define CROTON_REWRITE_SORTED_HPP

#include <croton/graph/structure/sort.hpp>
#include <croton/rewrite/sweep.hpp>

namespace croton::inline v0_1::detail {

/// The number of a structure that may be none of this program's: -1.
constexpr int number_of(const arena& g, std::string_view type) {
    for (int i = structures::size; i < g.structures.size(); ++i)
        if (g.structures.at[i]->type == type) return i;
    return -1;
}

/// Where argsort(x) is needed as well, sort(x) picks the elements of x by it: to sort takes many times as long.
constexpr void sort_once(arena& g, vec<int>& roots, fired_rules& counts) {
    const int sorted = number_of(g, type_of_structure<structure::sort>()), placed = number_of(g, type_of_structure<structure::argsort>());
    if (sorted < 0 || placed < 0) return;
    const liveness live(g, roots);
    const int count = g.nodes.size();
    const auto places_of = [&](int id) {
        for (int other = 0; other < count; ++other)
            if (live.uses.at[other] > 0 && g.nodes.at[other].what == placed && g.nodes.at[other].in[0] == g.nodes.at[id].in[0] && g.nodes.at[other].bits == g.nodes.at[id].bits)
                return true;
        return false;
    };
    vec<char> twice(count, 0);
    bool any = false;
    for (int id = 0; id < count; ++id)
        if (live.uses.at[id] > 0 && g.nodes.at[id].what == sorted && places_of(id)) twice.at[id] = any = true;
    if (!any) return;
    vec<int> map;
    rebuild_live(g, roots, live, map, [&](int id) {
        if (twice.at[id] == 0) return -1;
        const node n = with_arguments(g, id, map);
        counts.add(rule::sorted_once);
        return structure::gather::of(g, n.in[0], g.structures.at[placed]->again(g, n), kernel::axis_of(n.bits), true);
    });
}

}  // namespace croton::inline v0_1::detail

#endif
