// SPDX-License-Identifier: MIT
// Loops over the same extents that read a common array, or make columns of one, become one.
#ifndef CROTON_PLAN_SIBLINGS_HPP
#define CROTON_PLAN_SIBLINGS_HPP

#include <croton/plan/groups.hpp>

namespace croton::inline v0_1::detail {

/// Groups of one level over the same extents that read a common array, or make columns of one, share their loop; so do all rank-0 groups.
class sibling_fusion {
public:
    constexpr explicit sibling_fusion(grouping& groups) : g(groups) {}

    constexpr void run() {
        const int count = g.groups.size();
        int levels = 0;
        for (const loop_group& group : g.groups) levels = group.level + 1 > levels ? group.level + 1 : levels;
        vec<int> last(levels, -1), following(count, -1);  // groups of one level, in the order of their numbers
        for (int i = 0; i < count; ++i) {
            if (!g.groups.at[i].alive) continue;
            int& before = last[g.groups.at[i].level];
            if (before >= 0) following[before] = i;
            before = i;
        }
        find_wholes();
        vec<int> from(count + 1, 0), read;  // by group: the arrays that it reads, and those of which it makes columns
        vec<int> reader(g.nodes.size(), -1);  // the group that marked the node last
        for (int i = 0; i < count; ++i) {
            if (g.groups.at[i].alive) list_reads(i, reader, read);
            from[i + 1] = read.size();
        }
        reader.assign(g.nodes.size(), -1);
        const auto mark = [&](int group, int as) {
            for (int k = from[group]; k < from[group + 1]; ++k) reader.at[read[k]] = as;
        };
        for (int i = 0; i < count; ++i) {
            if (!g.groups.at[i].alive) continue;
            mark(i, i);
            for (int j = following[i]; j >= 0; j = following[j]) {
                const loop_group& a = g.groups.at[i];
                const loop_group& b = g.groups.at[j];
                if (!b.alive || a.axes != b.axes || a.size + b.size > limit) continue;
                bool same = true, shares = a.axes == 0;
                for (int k = 0; k < a.axes; ++k) same = same && a.extent[k] == b.extent[k];
                for (int k = from[j]; same && !shares && k < from[j + 1]; ++k) shares = reader.at[read[k]] == i;
                if (!same || !shares) continue;
                axis_map identity = no_axes;
                for (int k = 0; k < a.axes; ++k) identity.at[k] = static_cast<std::int8_t>(k);
                if (g.merge_by(i, j, identity, (1u << a.axes) - 1)) mark(j, i);
            }
        }
    }

private:
    static constexpr int limit = 48;

    grouping& g;
    vec<int> whole_;  // by node: what it is some columns of, along whose last axis others lie beside it; empty where there is none

    constexpr void find_wholes() {
        for (int id = g.nodes.size() - 1; id >= 0; --id) {
            const node& n = g.nodes.at[id];
            if (!g.is_joined(id) || n.bits + 1 != static_cast<unsigned>(n.shape.rank)) continue;
            if (whole_.empty()) whole_.assign(g.nodes.size(), -1);
            const int whole = whole_.at[id] >= 0 ? whole_.at[id] : id;
            for (int k = 0; k < 2; ++k) whole_.at[g.base_of.at[n.in[k]]] = whole;
        }
    }

    /// Adds what the loop of a group has in common with others to a list, each array once.
    constexpr void list_reads(int group, vec<int>& reader, vec<int>& list) const {
        const auto add = [&](int array) {
            if (reader.at[array] == group) return;
            reader.at[array] = group;
            list.push(array);
        };
        for (int m = g.groups.at[group].first; m >= 0; m = g.next.at[m]) {
            if (!whole_.empty() && whole_.at[m] >= 0) add(whole_.at[m]);
            for (int i = 0; i < loop_arguments; ++i) {
                const int a = g.nodes.at[m].in[i];
                if (a < 0) break;
                const int base = g.base_of.at[a];
                if (g.group_of.at[base] != group && !g.is_inline.at[a] && g.nodes.at[base].shape.rank > 0) add(base);
            }
        }
    }
};

}  // namespace croton::inline v0_1::detail

#endif
