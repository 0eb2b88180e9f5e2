// SPDX-License-Identifier: MIT
// Fusion: which nodes share a loop.
#ifndef CROTON_PLAN_GROUPS_HPP
#define CROTON_PLAN_GROUPS_HPP

#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

inline constexpr axis_map no_axes{};

struct loop_group {
    int level = 0;
    int axes = 0;
    size_ref extent[max_rank]{};
    unsigned row_axes = 0;  // reduced inside the group and used there again: softmax rows; 0 where there are none
    int first = -1, last = -1;  // members, a linked list in order of their numbers
    int size = 0;
    bool alive = true;
};

/// Cuts the graph into groups. A node joins the group of its arguments where every argument that is made at the same level
/// can share one loop; otherwise it starts a new level. Edges that leave a group therefore always go to a higher level, and
/// no order of groups can be circular.
class grouping {
public:
    vec<node> nodes;
    vec<int> group_of;   // by node: its group, or -1
    vec<int> level_of;   // by node: the level at which it is made; -1 for what the call brings
    vec<axis_map> axes;  // by node: the loop axis of each of its axes; a reduced axis keeps the one it had
    vec<int> next;       // by node: the next member of its group
    vec<loop_group> groups;

    /// `narrow`: products take half and bfloat16 as they lie in memory.
    template <class Program> constexpr void load(const Program& p, bool fuses, bool narrow) {
        fuses_ = fuses;
        for (const leaf_input& l : p.leaves) leaf_types_.push(l.type);
        vec<int> map(p.nodes.size(), -1);
        for (int id = 0; id < p.nodes.size(); ++id) {
            node n = p.nodes[id];
            for (int& a : n.in)
                if (a >= 0) a = map[a];
            if (n.place == placement::call) choose_elements(n, narrow);
            if (n.place == placement::call)
                for (unsigned i = 0; i < 2; ++i)
                    if (!in_memory(n.in[i], false)) n.in[i] = add_copy(n.in[i]);
            if (n.what == tag<structure::gemm> && n.in[2] >= 0 && !in_memory(base_of(n.in[2]), false)) n.in[2] = add_copy(n.in[2]);
            if (n.place == placement::layout && !in_memory(n.in[0], true)) n.in[0] = add_copy(n.in[0]);
            if (n.place == placement::call || n.place == placement::layout)
                for (unsigned i = 0; i < 3; ++i)
                    if (n.in[i] >= 0) keep(base_of(n.in[i]));
            map[id] = push_node(n);
        }
        for (int i = 0; i < p.outputs.size(); ++i) outputs_.push(map[p.outputs[i]]);
        for (int i = 0; i < p.updates.size(); ++i) updates_.push(update_of{p.updates[i].target, map[p.updates[i].value]});
        claim_roots();
        for (int id = 0; id < nodes.size(); ++id) inline_.push(finds_inline(id) ? 1 : 0);
        if (passed_over_) forget_unused();
    }

    /// The element type in which a value lies in memory.
    constexpr element stored_type(int id) const {
        id = base_of(id);
        while (is_layout(id)) id = base_of(nodes.at[id].in[0]);
        return nodes.at[id].what == tag<structure::input> ? leaf_types_.at[static_cast<int>(nodes.at[id].bits)] : nodes.at[id].type;
    }

    /// Product `n` reads arrays of one element type: where two of half (or bfloat16) are to be multiplied and the device can,
    /// those; else what is half becomes float first, by a copy that other products share.
    constexpr void choose_elements(node& n, bool narrow) {
        int source[2]{};
        bool both = narrow;
        for (unsigned i = 0; i < 2; ++i) {
            const int base = base_of(n.in[i]);
            const bool converted = nodes.at[base].what == tag<structure::cast> && is_stored_only(nodes.at[nodes.at[base].in[0]].type);
            source[i] = converted ? nodes.at[base].in[0] : base;
            both = both && in_memory(n.in[i], false) && in_memory(source[i], false);
        }
        const element type = stored_type(source[0]);
        if (both && is_stored_only(type) && type == stored_type(source[1])) {
            for (unsigned i = 0; i < 2; ++i) {
                if (source[i] == base_of(n.in[i])) continue;
                n.in[i] = on_base(n.in[i], source[i]);
                passed_over_ = true;
            }
            if (n.in[2] >= 0 && is_stored_only(stored_type(n.in[2]))) n.in[2] = in_float(n.in[2]);
        } else {
            for (unsigned i = 0; i < 3; ++i)
                if (n.in[i] >= 0 && is_stored_only(stored_type(n.in[i]))) n.in[i] = in_float(n.in[i]);
        }
    }

    constexpr int in_float(int id) {
        const int base = base_of(id);
        if (float_copy_.size() < nodes.size()) float_copy_.resize(nodes.size() + 16, -1);
        int& copy = float_copy_.at[base];
        if (copy < 0) copy = add_copy(base);
        return on_base(id, copy);
    }

    /// The alias `id` on another base.
    constexpr int on_base(int id, int base) {
        if (!is_alias(id)) return base;
        node n = nodes.at[id];
        n.in[0] = on_base(n.in[0], base);
        return push_node(n);
    }

    /// What only fed a product that now reads something else is computed nowhere.
    constexpr void forget_unused() {
        vec<char> used(nodes.size(), 0);
        for (int r = 0; r < root_count(); ++r) used[root_node(r)] = 1;
        for (int id = nodes.size() - 1; id >= 0; --id) {
            if (used[id] == 0) inline_.at[id] = 1;
            else
                for (int k = 0; k < max_arguments; ++k)
                    if (const int a = nodes.at[id].in[k]; a >= 0) used[a] = 1;
        }
    }

    /// Stores a number that would otherwise be computed wherever it is needed.
    constexpr void keep(int id) {
        if (kept_.size() <= id) kept_.resize(nodes.size(), 0);
        kept_.at[id] = 1;
    }

    constexpr int add_copy(int a) {
        node n;
        n.what = tag<structure::apply>;
        n.place = placement::loop;
        n.fn = code<op::copy>;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.shape = nodes.at[a].shape;
        return push_node(n);
    }

    constexpr int push_node(const node& n) {
        nodes.push(n);
        const int id = nodes.size() - 1;
        base_.push(is_alias(id) ? base_.at[n.in[0]] : id);
        return id;
    }

    constexpr bool is_loop(int id) const { return nodes.at[id].place == placement::loop; }
    constexpr bool is_product(int id) const { return nodes.at[id].place == placement::call; }
    constexpr bool is_alias(int id) const { return nodes.at[id].place == placement::alias; }
    constexpr bool reduces(int id) const { return nodes.at[id].what == tag<structure::reduce>; }
    constexpr bool is_layout(int id) const { return nodes.at[id].place == placement::layout; }

    /// The node whose value an alias shows.
    constexpr int base_of(int id) const { return base_.at[id]; }

    /// What the axes of an alias are, given what those of its base are; `missing` for axes the base does not have.
    constexpr axis_map through(int id, const axis_map& base) const {
        if (!is_alias(id)) return base;
        const axis_map inner = through(nodes.at[id].in[0], base);
        const node& n = nodes.at[id];
        axis_map out = no_axes;
        for (int i = 0; i < n.shape.rank; ++i) {
            const int s = view_axis(n.bits, i);
            if (s != new_axis) out[i] = inner[s];
        }
        return out;
    }

    /// The reverse: the loop axes of the base, given those of the alias. Axes of extent 1 have none.
    constexpr axis_map into(int id, const axis_map& alias) const {
        axis_map here = alias;
        while (is_alias(id)) {
            const node& n = nodes.at[id];
            axis_map below = no_axes;
            for (int i = 0; i < n.shape.rank; ++i) {
                const int s = view_axis(n.bits, i);
                if (s != new_axis) below[s] = here[i];
            }
            id = n.in[0];
            here = below;
        }
        for (int i = 0; i < max_rank; ++i)
            if (i >= nodes.at[id].shape.rank || nodes.at[id].shape[i] == 1) here[i] = -1;
        return here;
    }

    /// The loop axes of argument `a` of a loop node whose own are `mine`: aligned at the last axis.
    constexpr axis_map argument_axes(int rank, const axis_map& mine, int a) const {
        axis_map out = no_axes;
        const int shift = rank - nodes.at[a].shape.rank;
        for (int i = 0; i < nodes.at[a].shape.rank; ++i)
            if (nodes.at[a].shape[i] != 1) out[i] = mine[i + shift];
        return out;
    }

    /// Rank-0 arithmetic on numbers the call brings is computed where it is needed and never stored.
    constexpr bool is_inline(int id) const { return inline_.at[id] != 0; }

    static constexpr bool one_element(const shape& s) {
        for (int i = 0; i < s.rank; ++i)
            if (s[i] != 1) return false;
        return true;
    }

    /// The root that node `id` is stored for: outputs first, then updates; -1 where it is none.
    constexpr int root_of(int id) const { return id < root_of_.size() ? root_of_.at[id] : -1; }
    constexpr int output_count() const { return outputs_.size(); }
    constexpr int root_count() const { return outputs_.size() + updates_.size(); }
    constexpr int root_node(int root) const { return root < outputs_.size() ? outputs_.at[root] : updates_.at[root - outputs_.size()].value; }
    constexpr int target_leaf(int root) const { return updates_.at[root - outputs_.size()].target; }

    constexpr void assign() {
        floor_.assign(nodes.size(), 0);
        assign_once();
        // A move can make its reader later by a level; a few rounds settle it.
        for (int round = 0; round < 4 && fuses_ && sink(); ++round) assign_once();
        if (fuses_) merge_siblings();
    }

private:
    constexpr void assign_once() {
        groups.clear();
        group_of.assign(nodes.size(), -1);
        level_of.assign(nodes.size(), -1);
        axes.assign(nodes.size(), no_axes);
        next.assign(nodes.size(), -1);
        for (int id = 0; id < nodes.size(); ++id) {
            const node& n = nodes.at[id];
            if (is_product(id)) {
                int level = 0;
                for (int k = 0; k < max_arguments; ++k)
                    if (const int a = n.in[k]; a >= 0) level = max_of(level, made_at(a) + 1);
                level_of.at[id] = level;
            } else if (n.place == placement::layout) {
                level_of.at[id] = made_at(n.in[0]);
            } else if (n.place == placement::loop && !is_inline(id)) {
                place(id);
            }
        }
    }

    /// What is computed early only to wait in memory for a later loop moves there: beta * m waits for no gradient. It moves
    /// where all it is made from lies in memory anyway; says whether anything does.
    constexpr bool sink() {
        constexpr int nobody = 1 << 30;
        vec<int> latest(nodes.size(), nobody);
        vec<char> stored(nodes.size(), 0), free(nodes.size(), 0);
        for (int id = 0; id < nodes.size(); ++id)
            if (is_product(id) || is_layout(id))
                for (int k = 0; k < max_arguments; ++k)
                    if (const int a = nodes.at[id].in[k]; a >= 0) stored.at[base_of(a)] = 1;
        for (int id = 0; id < nodes.size(); ++id) {
            if (group_of.at[id] < 0 || reduces(id) || root_of(id) >= 0 || one_element(nodes.at[id].shape)) continue;
            free.at[id] = 1;
            for (int k = 0; k < max_arguments; ++k) {
                const int a = nodes.at[id].in[k];
                if (a < 0 || is_inline(a)) continue;
                const int base = base_of(a);
                if (group_of.at[base] >= 0 && free.at[base] == 0 && stored.at[base] == 0 && root_of(base) < 0) free.at[id] = 0;
            }
        }
        bool moved = false;
        for (int id = nodes.size() - 1; id >= 0; --id) {
            const bool loop = group_of.at[id] >= 0;
            if (!loop && !is_product(id) && !is_layout(id)) continue;
            if (loop && free.at[id] != 0 && latest.at[id] != nobody && latest.at[id] > level_of.at[id]) {
                floor_.at[id] = latest.at[id];
                moved = true;
            }
            const int level = loop ? max_of(level_of.at[id], floor_.at[id]) : level_of.at[id] - 1;
            for (int k = 0; k < max_arguments; ++k)
                if (const int a = nodes.at[id].in[k]; a >= 0 && latest.at[base_of(a)] > level) latest.at[base_of(a)] = level;
        }
        return moved;
    }

    static constexpr int max_of(int a, int b) { return a > b ? a : b; }

    constexpr bool finds_inline(int id) const {
        const int base = base_of(id);
        if (base != id) return inline_.at[base] != 0;
        const node& n = nodes.at[id];
        if (n.what == tag<structure::literal> || n.what == tag<structure::size>) return true;
        if (!one_element(n.shape)) return false;
        if (n.what == tag<structure::input>) return true;
        if (n.what != tag<structure::apply> || root_of(id) >= 0 || (id < kept_.size() && kept_.at[id] != 0)) return false;
        if (n.fn != code<op::add> && n.fn != code<op::subtract> && n.fn != code<op::multiply> && n.fn != code<op::divide> &&
            n.fn != code<op::negative> && n.fn != code<op::copy>)
            return false;
        for (int k = 0; k < max_arguments; ++k)
            if (const int a = n.in[k]; a >= 0 && !is_inline(a)) return false;
        return true;
    }

    /// The level after which a value can be read from memory; -1 for what is there from the start.
    constexpr int made_at(int id) const {
        if (is_inline(id)) return -1;
        return level_of.at[base_of(id)];
    }

    /// Whether a value lies in memory as it is (for `contiguous`: in row-major order) or will, once it is stored.
    constexpr bool in_memory(int id, bool contiguous) const {
        while (is_alias(id)) {
            const node& n = nodes.at[id];
            const shape& from = nodes.at[n.in[0]].shape;
            int last = -1;
            for (int i = 0; i < n.shape.rank; ++i) {
                const int s = view_axis(n.bits, i);
                if (n.shape[i] != (s == new_axis ? 1 : from[s])) return false;  // repeated
                if (s == new_axis) continue;
                if (contiguous && s < last) return false;
                last = s;
            }
            id = n.in[0];
        }
        return nodes.at[id].place != placement::given || nodes.at[id].what == tag<structure::input>;
    }

    /// Decides which node is stored for each root: the node itself, what a squeeze shows, or a copy.
    constexpr void claim_roots() {
        root_of_.assign(nodes.size(), -1);
        for (int r = 0; r < root_count(); ++r) {
            int id = root_node(r);
            const int base = base_of(id);
            const bool own = (is_loop(base) || is_product(base)) && in_memory(id, true) && root_of_.at[base] < 0 &&
                             !(r >= outputs_.size() && reduces(base));
            if (!own) {
                id = add_copy(id);
                root_of_.push(-1);
                if (r < outputs_.size()) outputs_.at[r] = id;
                else updates_.at[r - outputs_.size()].value = id;
            }
            root_of_.at[own ? base : id] = r;
        }
    }

    constexpr void start_group(int id, int level) {
        loop_group made;
        made.level = level;
        const node& n = nodes.at[id];
        // A reduction loops over its argument.
        const shape& over = n.what == tag<structure::reduce> ? nodes.at[n.in[0]].shape : n.shape;
        for (int i = 0; i < over.rank; ++i)
            if (over[i] != 1) {
                axes.at[id][i] = static_cast<std::int8_t>(made.axes);
                made.extent[made.axes++] = over[i];
            }
        groups.push(made);
        append(id, groups.size() - 1);
    }

    constexpr void append(int id, int group) {
        loop_group& g = groups.at[group];
        group_of.at[id] = group;
        level_of.at[id] = g.level;
        if (g.first < 0) g.first = id;
        else next.at[g.last] = id;
        g.last = id;
        ++g.size;
    }

    constexpr void place(int id) {
        const node& n = nodes.at[id];
        const bool scalar = n.what != tag<structure::reduce> && one_element(n.shape);
        int level = 0;
        for (int k = 0; k < max_arguments; ++k)
            if (const int a = n.in[k]; a >= 0 && !is_inline(a)) level = max_of(level, level_of.at[base_of(a)]);
        // What is not made by a loop, or by a loop over nothing that this is no part of, must be finished before.
        int barrier = -1;
        for (int k = 0; k < max_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0 || is_inline(a)) continue;
            const int base = base_of(a);
            const bool joins = fuses_ && is_loop(base) && (groups.at[group_of.at[base]].axes == 0) == scalar;
            if (!joins) barrier = max_of(barrier, level_of.at[base]);
        }
        if (barrier >= level) {
            start_group(id, max_of(barrier + 1, floor_.at[id]));
            return;
        }
        if (floor_.at[id] > level) {
            start_group(id, floor_.at[id]);
            return;
        }
        int target = -1;
        for (int k = 0; k < max_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0 || is_inline(a)) continue;
            const int base = base_of(a);
            if (level_of.at[base] != level || group_of.at[base] < 0) continue;
            const int other = group_of.at[base];
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

    /// Whether argument `a` is a reduction of this group, used again inside it.
    constexpr bool is_row_value(int a, int group) const {
        const int base = base_of(a);
        return reduces(base) && group_of.at[base] == group;
    }

    /// A later pass over a row computes its elements again, and the compiler may round them differently there, as where it
    /// makes a multiply-add of two operations. What is compared with its own maximum is therefore read back from memory.
    constexpr bool compares_recomputed(int id, int group) const {
        const node& n = nodes.at[id];
        if (n.what != tag<structure::apply> || n.fn != code<op::equal>) return false;
        for (unsigned i = 0; i < 2; ++i)
            if (group_of.at[base_of(n.in[i])] == group && !reduces(base_of(n.in[i]))) return true;
        return false;
    }

    constexpr unsigned reduced_axes(int id) const {
        unsigned mask = 0;
        for (int i = 0; i < nodes.at[id].shape.rank; ++i)
            if (((nodes.at[id].bits >> i) & 1) != 0 && axes.at[id][i] >= 0) mask |= 1u << axes.at[id][i];
        return mask;
    }

    /// The loops along which a node (of a reduction: its argument) varies, where its axes lie on `mine`.
    constexpr unsigned varying_axes(int id, const axis_map& mine) const {
        const shape& over = reduces(id) ? nodes.at[nodes.at[id].in[0]].shape : nodes.at[id].shape;
        unsigned mask = 0;
        for (int i = 0; i < over.rank; ++i)
            if (over[i] != 1 && mine[i] >= 0) mask |= 1u << mine[i];
        return mask;
    }

    /// The axes of a node in a group, from those of its arguments there; false where they do not determine them.
    constexpr bool derive(int id, int group, axis_map& out) const {
        const node& n = nodes.at[id];
        const shape& over = n.what == tag<structure::reduce> ? nodes.at[n.in[0]].shape : n.shape;
        out = no_axes;
        for (int k = 0; k < max_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0 || is_inline(a) || group_of.at[base_of(a)] != group) continue;
            const axis_map known = through(a, axes.at[base_of(a)]);
            const int shift = over.rank - nodes.at[a].shape.rank;
            for (int i = 0; i < nodes.at[a].shape.rank; ++i) {
                const int loop = known[i];
                if (loop < 0) continue;
                std::int8_t& mine = out[i + shift];
                const size_ref size = over[i + shift];
                if (size != 1 && size != groups.at[group].extent[loop]) return false;
                if (mine >= 0 && mine != loop) return false;
                mine = static_cast<std::int8_t>(loop);
            }
        }
        unsigned seen = 0;
        for (int i = 0; i < over.rank; ++i) {
            const int loop = out[i];
            if (over[i] != 1 && loop < 0) return false;
            if (loop < 0) continue;
            if ((seen >> loop) & 1u) return false;
            seen |= 1u << loop;
        }
        return true;
    }

    /// A loop takes so many operators and no more: beyond that registers spill and the compiler slows down.
    static constexpr int group_limit = 96;

    /// Rows are reduced over the last loops, not over all of them: sums over columns are better accumulated along memory, and a
    /// sum over everything is complete only when the loop has ended.
    static constexpr bool makes_rows(unsigned reduced, int axes) {
        const unsigned all = (1u << axes) - 1, kept = all & ~reduced;
        return reduced != 0 && kept != 0 && (kept & (kept + 1)) == 0;
    }

    constexpr bool join(int id, int group) {
        if (groups.at[group].size >= group_limit) return false;
        axis_map mine = no_axes;
        if (!derive(id, group, mine)) return false;
        unsigned rows = groups.at[group].row_axes;
        for (int k = 0; k < max_arguments; ++k) {
            const int a = nodes.at[id].in[k];
            if (a < 0 || is_inline(a) || !is_row_value(a, group)) continue;
            const unsigned reduced = reduced_axes(base_of(a));
            if (compares_recomputed(id, group)) return false;
            if (!makes_rows(reduced, groups.at[group].axes) || (rows != 0 && rows != reduced)) return false;
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
            const int a = of_to[i], b = of_from[i];
            if (a < 0 || b < 0) continue;
            match[b] = static_cast<std::int8_t>(a);
            used |= 1u << a;
        }
        return merge_by(to, from, match, used);
    }

    /// Like `derive`, for the arguments in one group only and without asking that all axes are known.
    constexpr bool derive_part(int id, int group, axis_map& out) const {
        const node& n = nodes.at[id];
        const int rank = n.what == tag<structure::reduce> ? nodes.at[n.in[0]].shape.rank : n.shape.rank;
        for (int k = 0; k < max_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0 || is_inline(a) || group_of.at[base_of(a)] != group) continue;
            const axis_map known = through(a, axes.at[base_of(a)]);
            for (int i = 0; i < nodes.at[a].shape.rank; ++i)
                if (known[i] >= 0) {
                    std::int8_t& mine = out[i + rank - nodes.at[a].shape.rank];
                    if (mine >= 0 && mine != known[i]) return false;
                    mine = known[i];
                }
        }
        return true;
    }

    constexpr bool merge_by(int to, int from, axis_map match, unsigned used) {
        loop_group& a = groups.at[to];
        loop_group& b = groups.at[from];
        if (a.axes != b.axes || a.size + b.size > group_limit) return false;
        // Axes that the match leaves open are paired in order.
        for (int i = 0; i < b.axes; ++i) {
            if (match[i] >= 0) continue;
            int candidate = 0;
            while ((used >> candidate) & 1u) ++candidate;
            match[i] = static_cast<std::int8_t>(candidate);
            used |= 1u << candidate;
        }
        unsigned rows = 0;
        for (int i = 0; i < b.axes; ++i) {
            const int m = match[i];
            if (b.extent[i] != a.extent[m]) return false;
            if ((b.row_axes >> i) & 1u) rows |= 1u << m;
        }
        if (rows != 0 && (!makes_rows(rows, a.axes) || (a.row_axes != 0 && a.row_axes != rows))) return false;
        a.row_axes |= rows;
        for (int m = b.first; m >= 0; m = next.at[m]) {
            group_of.at[m] = to;
            for (int i = 0; i < max_rank; ++i)
                if (std::int8_t& axis = axes.at[m][i]; axis >= 0) axis = match[axis];
        }
        a.size += b.size;
        b.alive = false;
        join_members(a, b);
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

    static constexpr int sibling_limit = 48;

    /// Groups of one level over the same extents that read a common array share their loop; so do all rank-0 groups.
    constexpr void merge_siblings() {
        const int count = groups.size();
        int levels = 0;
        for (const loop_group& group : groups) levels = max_of(levels, group.level + 1);
        vec<int> last(levels, -1), following(count, -1);  // groups of one level, in the order of their numbers
        for (int i = 0; i < count; ++i) {
            if (!groups.at[i].alive) continue;
            int& before = last[groups.at[i].level];
            if (before >= 0) following[before] = i;
            before = i;
        }
        vec<int> from(count + 1, 0), read;  // by group: the arrays that it reads
        vec<int> reader(nodes.size(), -1);  // the group that marked the node last
        for (int i = 0; i < count; ++i) {
            if (groups.at[i].alive) list_reads(i, reader, read);
            from[i + 1] = read.size();
        }
        reader.assign(nodes.size(), -1);
        const auto mark = [&](int group, int as) {
            for (int k = from[group]; k < from[group + 1]; ++k) reader.at[read[k]] = as;
        };
        for (int i = 0; i < count; ++i) {
            if (!groups.at[i].alive) continue;
            mark(i, i);
            for (int j = following[i]; j >= 0; j = following[j]) {
                const loop_group& a = groups.at[i];
                const loop_group& b = groups.at[j];
                if (!b.alive || a.axes != b.axes || a.size + b.size > sibling_limit) continue;
                bool same = true, shares = a.axes == 0;
                for (int k = 0; k < a.axes; ++k) same = same && a.extent[k] == b.extent[k];
                for (int k = from[j]; same && !shares && k < from[j + 1]; ++k) shares = reader.at[read[k]] == i;
                if (!same || !shares) continue;
                axis_map identity = no_axes;
                for (int k = 0; k < a.axes; ++k) identity[k] = static_cast<std::int8_t>(k);
                if (merge_by(i, j, identity, (1u << a.axes) - 1)) mark(j, i);
            }
        }
    }

    /// Adds the arrays that a group reads to a list, each once.
    constexpr void list_reads(int group, vec<int>& reader, vec<int>& list) const {
        for (int m = groups.at[group].first; m >= 0; m = next.at[m])
            for (int i = 0; i < max_arguments; ++i) {
                const int a = nodes.at[m].in[i];
                if (a < 0 || is_inline(a)) continue;
                const int base = base_of(a);
                if (group_of.at[base] == group || reader.at[base] == group || nodes.at[base].shape.rank == 0) continue;
                reader.at[base] = group;
                list.push(base);
            }
    }

    bool fuses_ = true;
    vec<int> base_;     // by node: the node whose value an alias shows
    vec<char> inline_;  // by node: computed where it is needed
    vec<int> floor_;  // by node: the level it is not made before
    vec<int> outputs_;
    vec<update_of> updates_;
    vec<int> root_of_;
    vec<char> kept_;  // by node: read from memory by a product or a reshape
    vec<element> leaf_types_;
    vec<int> float_copy_;  // by node: the copy that products of float read, or -1
    bool passed_over_ = false;  // some product reads what was converted for it
};

}  // namespace croton::inline v0_1::detail

#endif
