// SPDX-License-Identifier: MIT
// Fusion: which nodes share a loop.
#ifndef CROTON_PLAN_GROUPS_HPP
#define CROTON_PLAN_GROUPS_HPP

#include <croton/plan/loop_group.hpp>
#include <croton/plan/sinking.hpp>
#include <croton/plan/spreads.hpp>
#include <croton/plan/stored_graph.hpp>

namespace croton::inline v0_1::detail {

/// Cuts the graph into groups. A node joins the group of its arguments where every argument that is made at the same level
/// can share one loop; otherwise it starts a new level. Edges that leave a group therefore always go to a higher level, and
/// no order of groups can be circular.
class grouping : public stored_graph {
public:
    vec<int> group_of;   // by node: its group, or -1
    vec<int> level_of;   // by node: the level at which it is made; -1 for what the call brings
    vec<axis_map> axes;  // by node: the loop axis of each of its axes; a reduced axis keeps the one it had
    vec<int> next;       // by node: the next member of its group
    vec<loop_group> groups;

    constexpr grouping(bool fuses, bool finds_spreads) : fuses_(fuses), finds_spreads_(finds_spreads) {}

    constexpr void assign() {
        late_.floor.assign(nodes.size(), 0);
        group_of.assign(nodes.size(), -1);
        level_of.assign(nodes.size(), -1);
        axes.assign(nodes.size(), no_axes);
        next.resize_unset(nodes.size());
        if (finds_spreads_) spreads_.find(*this);
        assign_once();
        if (is_crowded()) {
            limit_ = crowded_limit;
            assign_once();
        }
        if (fuses_) late_.find(*this);
        // A move can make its reader later by a level, and all that waits for that; some rounds settle it, but not where loops are full: there the
        // end of each moves into the next one, whose end then makes room.
        const int rounds = limit_ < group_limit ? 1 : 8;
        for (int round = 0; round < rounds && fuses_ && late_.sink(*this); ++round) assign_once();
        if (fuses_ && late_.rise(*this)) assign_once();
    }

    /// Joins two groups, axis i of `from` being axis match.at[i] of `to`; axes that the match leaves open are paired in order. `used`: the
    /// axes of `to` that are matched. False where the groups do not fit.
    constexpr bool merge_by(int to, int from, axis_map match, unsigned used) {
        loop_group& a = groups.at[to];
        loop_group& b = groups.at[from];
        if (a.axes != b.axes || a.size + b.size > limit_ || a.spread != b.spread) return false;
        for (int i = 0; i < b.axes; ++i) {
            if (match.at[i] >= 0) continue;
            int candidate = 0;
            while ((used >> candidate) & 1u) ++candidate;
            match.at[i] = static_cast<std::int8_t>(candidate);
            used |= 1u << candidate;
        }
        unsigned rows = 0;
        for (int i = 0; i < b.axes; ++i) {
            const int m = match.at[i];
            if (b.extent[i] != a.extent[m]) return false;
            if ((b.row_axes >> i) & 1u) rows |= 1u << m;
        }
        if (rows != 0 && (!makes_rows(rows, a.axes) || (a.row_axes != 0 && a.row_axes != rows))) return false;
        a.row_axes |= rows;
        for (int m = b.first; m >= 0; m = next.at[m]) {
            group_of.at[m] = to;
            const int rank = nodes.at[nodes.at[m].what == tag<structure::reduce> ? nodes.at[m].in[0] : m].shape.rank;
            std::int8_t* const mine = axes.at[m].at;
            for (int i = 0; i < rank; ++i)
                if (mine[i] >= 0) mine[i] = match.at[mine[i]];
        }
        a.size += b.size;
        a.reduces = a.reduces || b.reduces;
        b.alive = false;
        join_members(a, b);
        return true;
    }

private:
    constexpr void assign_once() {
        // What an earlier round noted of a node is overwritten before anything reads it: arguments come first.
        groups.clear();
        const int count = nodes.size();
        for (int id = 0; id < count; ++id) {
            const node& n = nodes.at[id];
            if (n.place == placement::loop) {
                if (!is_inline.at[id]) place(id);
            } else if (n.place == placement::call || n.place == placement::repeat) {
                int level = 0;
                each_argument(id, [&](int a) { level = max_of(level, made_at(a) + 1); });
                level_of.at[id] = level;
            } else if (reads_memory(n)) {
                int level = -1;
                for (int k = 0; k < max_arguments; ++k)
                    if (const int a = n.in[k]; a >= 0) level = max_of(level, made_at(a));
                level_of.at[id] = level;
            }
        }
    }

    static constexpr int max_of(int a, int b) { return a > b ? a : b; }

    /// The level after which a value can be read from memory; -1 for what is there from the start.
    constexpr int made_at(int id) const {
        if (is_inline.at[id]) return -1;
        return level_of.at[base_of.at[id]];
    }

    constexpr void start_group(int id, int level) {
        loop_group made;
        made.level = level;
        made.spread = spreads_.of(id);
        axis_map mine;
        const node& n = nodes.at[id];
        // A reduction loops over its argument.
        const shape& over = n.what == tag<structure::reduce> ? nodes.at[n.in[0]].shape : n.shape;
        for (int i = 0; i < over.rank; ++i)
            if (over.extent[i] != 1) {
                mine.at[i] = static_cast<std::int8_t>(made.axes);
                made.extent[made.axes++] = over.extent[i];
            }
        axes.at[id] = mine;
        groups.push(made);
        append(id, groups.size() - 1);
    }

    constexpr void append(int id, int group) {
        loop_group& g = groups.at[group];
        group_of.at[id] = group;
        level_of.at[id] = g.level;
        next.at[id] = -1;
        if (g.first < 0) g.first = id;
        else next.at[g.last] = id;
        g.last = id;
        if (nodes.at[id].what == tag<structure::reduce>) g.reduces = true;
        ++g.size;
    }

    constexpr void place(int id) {
        const node& n = nodes.at[id];
        const bool scalar = n.what != tag<structure::reduce> && one_element(n.shape), gathers = n.what == tag<structure::gather>;
        const int spread = spreads_.of(id);
        int level = 0;
        // What is not made by a loop, or by a loop over nothing that this is no part of, must be finished before.
        int barrier = -1;
        int others[loop_arguments]{}, count = 0;  // the arguments that a loop makes which this could share
        for (int k = 0; k < loop_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0) break;
            if (is_inline.at[a]) continue;
            const int base = base_of.at[a], made = level_of.at[base], other = group_of.at[base];
            if (made > level) level = made;
            const bool read = gathers && k == 0, fits = other >= 0 && groups.at[other].spread == spread && (spread >= 0 || (groups.at[other].axes == 0) == scalar),
                       joins = fuses_ && fits && !read;
            if (!joins && made > barrier) barrier = made;
            if (other >= 0 && !read) others[count++] = base;
        }
        if (barrier >= level) {
            start_group(id, max_of(barrier + 1, late_.floor.at[id]));
            return;
        }
        if (late_.floor.at[id] > level) {
            start_group(id, late_.floor.at[id]);
            return;
        }
        int target = -1;
        for (int k = 0; k < count; ++k) {
            if (level_of.at[others[k]] != level) continue;
            const int other = group_of.at[others[k]];
            if (target < 0) {
                target = other;
            } else if (other != target && !merge(target, other, id)) {
                start_group(id, level + 1);
                return;
            }
        }
        if (target < 0) start_group(id, level);
        else if (!join(id, target)) start_group(id, level + 1);
    }

    /// A later pass over a row computes its elements again, and the compiler may round them differently there, as where it
    /// makes a multiply-add of two operations. What is compared with its own maximum is therefore read back from memory.
    constexpr bool compares_recomputed(int id, int group) const {
        const node& n = nodes.at[id];
        if (n.what != tag<structure::apply> || n.fn != code<op::equal>) return false;
        for (unsigned i = 0; i < 2; ++i)
            if (group_of.at[base_of.at[n.in[i]]] == group && !reduces(base_of.at[n.in[i]])) return true;
        return false;
    }

    constexpr unsigned reduced_axes(int id) const {
        unsigned mask = 0;
        for (int i = 0; i < nodes.at[id].shape.rank; ++i)
            if (((nodes.at[id].bits >> i) & 1) != 0 && axes.at[id].at[i] >= 0) mask |= 1u << axes.at[id].at[i];
        return mask;
    }

    /// The loops along which a node (of a reduction: its argument) varies, where its axes lie on `mine`.
    constexpr unsigned varying_axes(int id, const axis_map& mine) const {
        const shape& over = reduces(id) ? nodes.at[nodes.at[id].in[0]].shape : nodes.at[id].shape;
        unsigned mask = 0;
        for (int i = 0; i < over.rank; ++i)
            if (over.extent[i] != 1 && mine.at[i] >= 0) mask |= 1u << mine.at[i];
        return mask;
    }

    /// The axes of a node in a group, from those of its arguments there; false where they do not determine them.
    constexpr bool derive(int id, int group, axis_map& out) const {
        const node& n = nodes.at[id];
        const shape& over = n.what == tag<structure::reduce> ? nodes.at[n.in[0]].shape : n.shape;
        const size_ref* const extents = groups.at[group].extent;
        const bool gathers = n.what == tag<structure::gather>;
        out = no_axes;
        for (int k = 0; k < loop_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0) break;
            const int base = base_of.at[a];
            if (group_of.at[base] != group || is_inline.at[a]) continue;
            const axis_map known = base == a ? axes.at[base] : through(a, axes.at[base]);
            const int rank = nodes.at[a].shape.rank, shift = over.rank - rank;
            for (int i = 0; i < rank; ++i) {
                const int loop = known.at[i];
                if (loop < 0) continue;
                const int axis = gathers ? axis_of_argument(id, k, i) : i + shift;
                if (axis < 0) continue;
                std::int8_t& mine = out.at[axis];
                const size_ref size = over.extent[axis];
                if (size != 1 && size != extents[loop]) return false;
                if (mine >= 0 && mine != loop) return false;
                mine = static_cast<std::int8_t>(loop);
            }
        }
        unsigned seen = 0;
        for (int i = 0; i < over.rank; ++i) {
            const int loop = out.at[i];
            if (over.extent[i] != 1 && loop < 0) return false;
            if (loop < 0) continue;
            if ((seen >> loop) & 1u) return false;
            seen |= 1u << loop;
        }
        return true;
    }

    /// A loop takes so many operators and no more: beyond that registers spill and the compiler slows down. What fills several loops is cut anyway, and then
    /// into short ones: of 1,000 operators on 256 to 4,096 elements they took 0.8 to 0.9 of the time, and the compiler 0.62.
    static constexpr int group_limit = 96, crowded_limit = 28;

    constexpr bool is_crowded() const {
        int full = 0;
        for (const loop_group& g : groups) full += g.alive && g.size >= group_limit ? 1 : 0;
        return full > 1;
    }

    /// Rows are reduced over the last loops, not over all of them: sums over columns are better accumulated along memory, and a
    /// sum over everything is complete only when the loop has ended.
    static constexpr bool makes_rows(unsigned reduced, int axes) {
        const unsigned all = (1u << axes) - 1, kept = all & ~reduced;
        return reduced != 0 && kept != 0 && (kept & (kept + 1)) == 0;
    }

    constexpr bool join(int id, int group) {
        if (groups.at[group].size >= limit_) return false;
        axis_map mine = no_axes;
        if (!derive(id, group, mine)) return false;
        unsigned rows = groups.at[group].row_axes;
        for (int k = 0; k < loop_arguments && groups.at[group].reduces; ++k) {
            const int a = nodes.at[id].in[k];
            if (a < 0) break;
            const int base = base_of.at[a];
            if (group_of.at[base] != group || nodes.at[base].what != tag<structure::reduce> || is_inline.at[a]) continue;
            const unsigned reduced = reduced_axes(base);
            if (compares_recomputed(id, group)) return false;
            if ((groups.at[group].spread >= 0 ? reduced == 0 : !makes_rows(reduced, groups.at[group].axes)) || (rows != 0 && rows != reduced)) return false;
            rows = reduced;
        }
        // A pass over a row takes all of its axes: what varies along some of them would be computed, and summed, too often.
        if (rows != 0) {
            const unsigned varies = varying_axes(id, mine) & rows;
            if (varies != 0 && varies != rows) return false;
        }
        // A member that was reduced over other axes and used would not be complete inside the row.
        axes.at[id] = mine;
        groups.at[group].row_axes = rows;
        append(id, group);
        return true;
    }

    /// Joins two groups of one level for the sake of node `id`, which reads from both; axes are matched through it.
    constexpr bool merge(int to, int from, int id) {
        axis_map of_to = no_axes, of_from = no_axes;
        if (!derive_part(id, to, of_to) || !derive_part(id, from, of_from)) return false;
        axis_map match = no_axes;  // axis of `from` -> axis of `to`
        unsigned used = 0;
        for (int i = 0; i < max_rank; ++i) {
            const int a = of_to.at[i], b = of_from.at[i];
            if (a < 0 || b < 0) continue;
            match.at[b] = static_cast<std::int8_t>(a);
            used |= 1u << a;
        }
        return merge_by(to, from, match, used);
    }

    /// Like `derive`, for the arguments in one group only and without asking that all axes are known.
    constexpr bool derive_part(int id, int group, axis_map& out) const {
        const node& n = nodes.at[id];
        for (int k = 0; k < max_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0 || is_inline.at[a] || group_of.at[base_of.at[a]] != group) continue;
            const axis_map known = through(a, axes.at[base_of.at[a]]);
            for (int i = 0; i < nodes.at[a].shape.rank; ++i)
                if (const int axis = axis_of_argument(id, k, i); known.at[i] >= 0 && axis >= 0) {
                    std::int8_t& mine = out.at[axis];
                    if (mine >= 0 && mine != known.at[i]) return false;
                    mine = known.at[i];
                }
        }
        return true;
    }

    /// Members stay in the order of their numbers, which is an order of evaluation.
    constexpr void join_members(loop_group& to, const loop_group& from) {
        int a = to.first, b = from.first, last = -1;
        while (a >= 0 || b >= 0) {
            int& taken = b < 0 || (a >= 0 && a < b) ? a : b;
            if (last < 0) to.first = taken;
            else next.at[last] = taken;
            last = taken;
            taken = next.at[taken];
        }
        to.last = last;
    }

    bool fuses_, finds_spreads_;
    int limit_ = group_limit;
    spread_marks spreads_;
    sinking late_;
};

}  // namespace croton::inline v0_1::detail

#endif
