// SPDX-License-Identifier: MIT
// Of which turns a loop keeps what it leaves: of the last ones, where nobody reads what the others left.
#ifndef CROTON_PLAN_KEPT_TURNS_HPP
#define CROTON_PLAN_KEPT_TURNS_HPP

#include <limits>

#include <croton/plan/regions.hpp>

namespace croton::inline v0_1::detail {

/// Values of all turns of which only slices are read, each of which begins so many turns from the end as the compiler knows, have the rows of that many turns.
/// Those of states are stacked for themselves then, which lets the loop carry one state and not all.
class turn_keeper {
public:
    constexpr turn_keeper(arena& graph, region_map& regions) : g(graph), regions_(regions) {}

    constexpr void run(const vec<int>& roots, vec<int>& uses) {
        const int count = g.nodes.size();
        rows_.assign(count, 0);
        certain_.assign(count, 0);
        bool any = false;
        for (int id = 0; id < count && !any; ++id) any = g.nodes.at[id].what == tag<structure::turn_part> && uses.at[id] > 0 && may_keep_less(id);
        if (!any) return;
        for (const int r : roots) read_whole(r);
        regions_.each_value(g, [&](int id) { read_whole(id); });
        for (int id = 0; id < count; ++id) {
            if (uses.at[id] == 0) continue;
            const node& n = g.nodes.at[id];
            if (n.what == tag<structure::slice> && is_read(n)) {
                const int part = part_of(n.in[0]);
                const std::int64_t rows = turns_from_end(g.nodes.at[part], n);
                if (rows < 0) rows_.at[part] = -1;
                else if (rows_.at[part] >= 0 && rows > rows_.at[part]) rows_.at[part] = rows;
                // Where so many elements are asked for, no call has fewer turns.
                if (g.find(n.shape[0]) > 0 && rows > certain_.at[part]) certain_.at[part] = rows;
            } else {
                for (const int a : n.in)
                    if (a >= 0 && g.nodes.at[a].what == tag<structure::turn_part>) read_whole(a);
            }
        }
        for (int id = 0; id < count; ++id) {
            if (g.nodes.at[id].what != tag<structure::slice> || uses.at[id] == 0 || !is_read(g.nodes.at[id])) continue;
            const int part = part_of(g.nodes.at[id].in[0]);
            if (const size_ref rows = rows_of(part); rows != whole) cut(id, part, rows, uses);
        }
        for (int id = 0; id < count; ++id) {
            if (g.nodes.at[id].what != tag<structure::turn_part> || uses.at[id] == 0 || !may_keep_less(id)) continue;
            const size_ref rows = rows_of(id);
            if (rows == whole) continue;
            node& n = g.nodes.at[id];
            n.shape[0] = rows;
            if (part_role(n.bits) == loop_result::stack) continue;
            n.in[1] = regions_.next_of_part(g, id);
            n.bits = part_bits(loop_result::stack, 0);
        }
    }

private:
    arena& g;
    region_map& regions_;
    vec<std::int64_t> rows_;  // by part: of how many turns from the end on it is read, -1 where that is all of it or not known
    vec<std::int64_t> certain_;  // the same, of those slices whose extents are numbers

    static constexpr size_ref whole = std::numeric_limits<size_ref>::min();

    constexpr int loop_of_part(const node& part) const { return static_cast<int>(g.nodes.at[part.in[0]].bits); }
    constexpr const loop_facts& facts(int part) const { return g.loops.at[loop_of_part(g.nodes.at[part])]; }
    /// How many rows a part has then; `whole`: as many as before.
    constexpr size_ref rows_of(int part) const {
        const size_ref turns = g.find(facts(part).turns);
        if (rows_.at[part] <= 0 || (turns >= 0 && rows_.at[part] >= turns)) return whole;
        return certain_.at[part] >= rows_.at[part] ? rows_.at[part] : g.minimum(turns, rows_.at[part]);
    }
    constexpr int part_of(int id) const { return regions_.same_part(id) >= 0 ? regions_.same_part(id) : id; }

    /// Whether a node is a value of each turn, of a loop that has as many as its sequences.
    constexpr bool may_keep_less(int id) const {
        const node& n = g.nodes.at[id];
        if (n.what != tag<structure::turn_part> || (part_role(n.bits) != loop_result::stack && part_role(n.bits) != loop_result::trajectory)) return false;
        const node& loop = g.nodes.at[n.in[0]];
        return loop.in[1] < 0 && loop.in[2] < 0 && facts(id).at_most == 0;
    }
    constexpr bool is_read(const node& n) const { return n.what == tag<structure::slice> && slice_axis(n.bits) == 0 && may_keep_less(n.in[0]); }
    constexpr void read_whole(int id) {
        if (may_keep_less(id)) rows_.at[part_of(id)] = -1;
    }

    /// Where a slice begins in what the turns have left, which states have one more in front of; false where that is not known.
    constexpr bool finds_first(const node& part, const node& n, size_ref& first) const {
        first = g.find(slice_start(n.bits));
        if (part_role(part.bits) != loop_result::trajectory || g.loops.at[loop_of_part(part)].reverse) return true;
        if (first == 0) return false;
        if (first > 0) return --first, true;
        const size_entry& e = g.sizes.at[arena::index_of(first)];
        if (e.what != size_entry::origin::sum || g.find(e.b) < 1) return false;
        first = g.sum(e.a, g.find(e.b) - 1);
        return true;
    }
    /// How many turns there are at most between where slice `n` begins, or ends where the loop goes backwards, and the last one: -1 where that is not known.
    constexpr std::int64_t turns_from_end(const node& part, const node& n) const {
        const loop_facts& f = g.loops.at[loop_of_part(part)];
        size_ref first = 0;
        if (slice_step(n.bits) < 0 || !finds_first(part, n, first) || (f.reverse && first < 0)) return -1;
        const size_ref count = g.find(f.reverse ? n.shape[0] : g.difference(f.turns, first));
        // Behind the states that reversed turns leave lies the one before the first turn, which no turn leaves: some slices may end there.
        const bool is_state = f.reverse && part_role(part.bits) == loop_result::trajectory;
        std::int64_t most = is_state && first > 0 ? -1 : count;
        if (count < 0) {
            const size_ref of = is_state ? g.difference(f.turns, first) : f.turns;
            const size_entry e = g.sizes.at[arena::index_of(count)];
            most = e.what == size_entry::origin::minimum && ((f.reverse && !is_state) || g.same(e.a, of)) ? g.find(e.b) : -1;
        }
        return most < 0 || !f.reverse ? most : most == 0 ? 1 : first + (most - 1) * slice_step(n.bits) + 1;
    }
    /// A slice of what there are fewer rows of.
    constexpr void cut(int id, int part, size_ref rows, vec<int>& uses) {
        node& n = g.nodes.at[id];
        n.in[0] = part;
        size_ref start = slice_start(n.bits);
        if (!facts(part).reverse) start = g.difference(rows, turns_from_end(g.nodes.at[part], n));
        if (start == 0 && slice_step(n.bits) == 1 && g.same(n.shape[0], rows)) regions_.show_as(id, part, uses);
        else n.bits = slice_bits(0, start, slice_step(n.bits));
    }
};

}  // namespace croton::inline v0_1::detail

#endif
