// SPDX-License-Identifier: MIT
// What is sorted twice, for its elements and for their places, is sorted once; where a few places are read, it is sorted there.
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

/// Whether a node needs one of those that are marked.
constexpr bool needs_marked(const arena& g, int id, const vec<char>& marked) {
    vec<char> seen(id + 1, 0);
    vec<int> open;
    open.push(id);
    while (!open.empty()) {
        const int at = open.back();
        open.pop();
        if (at < seen.size() && seen.at[at] != 0) continue;
        seen.resize(at < seen.size() ? seen.size() : at + 1, 0);
        seen.at[at] = 1;
        if (at < marked.size() && marked.at[at] != 0) return true;
        for (const int a : g.nodes.at[at].in)
            if (a >= 0) open.push(a);
    }
    return false;
}

/// Where all that read sort(x) take single places or a list of them, as medians and quantiles do, it is partition(x, places).
constexpr void sort_where_read(arena& g, vec<int>& roots, fired_rules& counts) {
    const int sorted = number_of(g, type_of_structure<structure::sort>());
    if (sorted < 0) return;
    const liveness live(g, roots);
    const int count = g.nodes.size();
    const auto axis_of_sort = [&](int id) { return kernel::axis_of(g.nodes.at[id].bits); };
    // One place is a slice, a list of them is gathered: of the sort that it reads, the first argument.
    const auto is_slice = [&](int id) { return g.nodes.at[id].what == tag<structure::slice>; };
    const auto takes_places = [&](int id) {
        const node& n = g.nodes.at[id];
        if (is_slice(id)) return slice_axis(n.bits) == axis_of_sort(n.in[0]) && g.find(n.shape.extent[slice_axis(n.bits)]) == 1;
        return n.what == tag<structure::gather> && !structure::gather::is_aligned(n) && g.nodes.at[n.in[1]].shape.rank < 2 &&
               structure::gather::axis_of(n) == axis_of_sort(n.in[0]);
    };
    // Fewer are sooner sorted than looked for.
    constexpr size_ref few = 64;
    vec<char> found(count, 0), candidate(count, 0);
    vec<int> readers(count, 0), places(count, -1);  // of a sort: how many of those that read it take places from it, and which
    for (int id = 0; id < count; ++id) {
        const node& n = g.nodes.at[id];
        if (live.uses.at[id] > 0 && n.in[0] >= 0 && g.nodes.at[n.in[0]].what == sorted && takes_places(id)) ++readers.at[n.in[0]];
    }
    bool any = false;
    for (int id = 0; id < count; ++id) {
        if (live.uses.at[id] == 0 || readers.at[id] != live.uses.at[id]) continue;
        const size_ref length = g.find(g.nodes.at[id].shape.extent[axis_of_sort(id)]);
        found.at[id] = candidate.at[id] = length < 0 || length > few;
        any = any || found.at[id] != 0;
    }
    if (!any) return;
    const auto reads_part = [&](int id) { return live.uses.at[id] > 0 && g.nodes.at[id].in[0] >= 0 && found.at[g.nodes.at[id].in[0]] != 0; };
    // Places that depend on what was sorted are known too late.
    for (int id = 0; id < count; ++id)
        if (reads_part(id) && !is_slice(id) && needs_marked(g, g.nodes.at[id].in[1], candidate)) found.at[g.nodes.at[id].in[0]] = 0;
    any = false;
    for (int id = 0; id < count; ++id) {
        if (!reads_part(id)) continue;
        const node n = g.nodes.at[id];
        int at = is_slice(id) ? g.size(element::int64, slice_start(n.bits)) : structure::cast::of(g, element::int64, n.in[1]);
        if (g.nodes.at[at].shape.rank == 0) at = structure::broadcast::of(g, at, shape{1, {1}});
        int& of_sort = places.at[n.in[0]];
        of_sort = of_sort < 0 ? at : structure::concatenate::of(g, 0, of_sort, at);
        any = true;
    }
    if (!any) return;
    vec<int> map;
    rebuild_live(g, roots, live, map, [&](int id) {
        if (!reads_part(id)) return -1;
        const int from = g.nodes.at[id].in[0];
        node n = with_arguments(g, id, map);
        n.in[0] = structure::partition::of(g, axis_of_sort(from), map.at[g.nodes.at[from].in[0]], places.at[from]);
        counts.add(rule::sorted_in_part);
        return rebuild(g, n);
    });
}

}  // namespace croton::inline v0_1::detail

#endif
