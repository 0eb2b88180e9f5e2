// SPDX-License-Identifier: MIT
// The order of the steps, where each value is stored, and while which steps it must lie there.
#ifndef CROTON_PLAN_SCHEDULE_HPP
#define CROTON_PLAN_SCHEDULE_HPP

#include <croton/plan/closing.hpp>
#include <croton/plan/joint.hpp>
#include <croton/plan/parts.hpp>
#include <croton/plan/step_list.hpp>

namespace croton::inline v0_1::detail {

/// Where a stored node lies: its buffer, and which of the buffer's axes each of its own is.
struct place {
    int buffer = -1;
    axis_map axis = no_axes;
    int window = -1;  // the part of the buffer, see `window_chain`; -1 is all of it
    int layout = -1;  // the shape in which the node sees the buffer, an entry of `layouts`; -1: the buffer's own
};

class scheduling : public joined_updates {
public:
    constexpr explicit scheduling(const grouping& groups) : joined_updates(groups) {}

    /// Brings groups with the same number in `kernel` side by side where the order allows it, and numbers behind loops; -1 is none. Both are by group, or empty.
    constexpr scheduling(const grouping& groups, const vec<int>& kernel, const vec<closing_role>& role)
        : joined_updates(groups), kernel_(kernel.empty() ? nullptr : &kernel), role_(role.empty() ? nullptr : &role) {}

    vec<int> last_of_unit;    // by step: the last one of those that run side by side with it
    vec<place> places;        // by node
    vec<window> windows;      // the parts of buffers that nodes are stored in
    vec<shape> layouts;
    vec<buffer_facts> buffers;
    int temporaries = 0;      // those that something uses; their buffers have numbers from 0

    template <class Program> constexpr void run(const Program& p) {
        known_.entry = p.sizes.begin();
        make_steps();
        list_reads(p.leaves.size());
        for (int i = 0; i < p.leaves.size(); ++i) {
            shape s;
            s.rank = p.leaves[i].shape.rank;
            for (int a = 0; a < s.rank; ++a) s[a] = representative(p, p.leaves[i].shape[a]);
            buffers.push(buffer_facts{buffer_kind::leaf, i, p.leaves[i].type, s, -1, -1});
        }
        find_stored();
        order();
        place_all();
        live_ranges();
        for (buffer_facts& b : buffers)
            if (b.what == buffer_kind::temporary && b.first >= 0) b.index = temporaries++;
    }

private:
    const vec<int>* kernel_ = nullptr;         // by group
    const vec<closing_role>* role_ = nullptr;  // by group
    vec<int> first_of_unit_;            // by step
    vec<char> in_place_;     // by root: an update that its step writes straight into the parameter

    template <class Program> static constexpr size_ref representative(const Program& p, size_ref s) {
        return s >= 0 ? s : p.sizes[arena::index_of(s)].same_as;
    }

    // Order

    /// Whether step `s` may write the parameter of update `root` while it reads it: only at the very element it writes. It
    /// writes `node`, which lies where `owner` is stored for the root: itself, or the product that it is the addend of.
    constexpr bool reads_as_written(int s, int root, int node, int owner) const {
        const int leaf = g.target_leaf(root);
        const pending_step& step = steps.at[s];
        if (g.is_part(node)) return false;
        if (step.call >= 0) {
            const bool product = g.is_product(g.nodes.at[node]);
            const int changed = changed_argument(node);
            for (unsigned i = 0; i < (product ? 2 : 3); ++i) {
                if (g.nodes.at[node].in[i] < 0) continue;
                const int a = g.source_of(g.nodes.at[node].in[i]);
                if (static_cast<int>(i) == changed && a == g.nodes.at[node].in[i]) continue;
                if (g.nodes.at[a].what == tag<structure::input> && leaf_buffer(a) == leaf) return false;
            }
            if (!product) return true;
            // The addend must be the parameter as it is, or come from elsewhere.
            const int c = g.nodes.at[node].in[2];
            if (c < 0) return true;
            const int source = g.source_of(c);
            return g.nodes.at[source].what != tag<structure::input> || leaf_buffer(source) != leaf || source == c;
        }
        bool fits = true;
        for (int m = g.groups.at[step.group].first; m >= 0; m = g.next.at[m])
            for (int k = 0; k < max_arguments; ++k) {
                const int a = g.nodes.at[m].in[k];
                if (a < 0) continue;
                const int source = g.source_of(a);
                if (g.nodes.at[source].what != tag<structure::input> || leaf_buffer(source) != leaf) continue;
                if (g.base_of.at[a] != source) return false;  // through a reshape or a slice
                const axis_map loops = g.into(a, g.argument_axes(m, k, g.axes.at[m]));
                const axis_map written = loops_of(node, owner);
                for (int i = 0; i < g.nodes.at[source].shape.rank; ++i)
                    if (g.nodes.at[source].shape[i] != 1) fits = fits && loops.at[i] == written.at[i];
            }
        return fits;
    }

    /// Whether a step is a routine that not every number suits.
    constexpr bool may_fail(int step) const {
        const int id = steps.at[step].call;
        if (id < 0 || g.is_product(g.nodes.at[id])) return false;
        if (g.is_call(id)) return !g.routines.at[g.nodes.at[id].fn]->failure.empty();
        // A loop may have any of the program's routines in its turns.
        for (const kernel::routine_facts* r : g.routines)
            if (!r->failure.empty()) return true;
        return false;
    }

    /// The argument of a routine that it changes where it lies, or -1.
    constexpr int changed_argument(int id) const {
        return g.is_call(id) && !g.is_product(g.nodes.at[id]) ? g.routines.at[g.nodes.at[id].fn]->in_place : -1;
    }

    /// The loop axes of the buffer that node `node` is stored to in the place of root node `owner`.
    constexpr axis_map loops_of(int node, int owner) const {
        const axis_map to_buffer = root_axes(owner);
        axis_map out = no_axes;
        for (int i = 0; i < g.nodes.at[node].shape.rank; ++i)
            if (to_buffer.at[i] >= 0) out.at[to_buffer.at[i]] = g.axes.at[node].at[i];
        return out;
    }

    /// Sorts the steps so that every value is made before it is read, and a parameter is read before it is overwritten. An
    /// update for which no such order exists goes through a temporary.
    constexpr void order() {
        const int count = steps.size();
        const int updates = g.root_count() - g.output_count();
        in_place_.assign(g.root_count(), 0);
        vec<int> writer(g.root_count(), -1);
        for (int u = 0; u < updates; ++u) {
            const int root = g.output_count() + u, node = node_of_root_.at[root];
            if (g.is_reshaped(node)) continue;  // a parameter may lie in any order
            if (g.is_joined(node)) {
                in_place_.at[root] = joins_in_place(root, node) ? 1 : 0;
                continue;
            }
            writer[root] = step_of.at[node];
            in_place_.at[root] = writer[root] >= 0 && !may_fail(writer[root]) && reads_as_written(writer[root], root, node, node) ? 1 : 0;
        }
        vec<int> failing;  // the steps that may
        for (int s = 0; s < count; ++s)
            if (may_fail(s)) failing.push(s);
        vec<int> from, to;  // edges
        from.resize_unset(reads_.size());
        to.resize_unset(reads_.size());
        int true_edges = 0;
        for (int s = 0; s < count; ++s)
            for (int i = steps.at[s].read_from, end = i + steps.at[s].read_count; i < end; ++i)
                if (const int made = step_of.at[reads_.at[i]]; g.nodes.at[reads_.at[i]].what != tag<structure::input>) {
                    from.at[true_edges] = made;
                    to.at[true_edges++] = s;
                }
        vec<int> sequence;
        const vec<int> none;
        const joining alone(count, none, none);
        for (;;) {
            from.resize(true_edges);
            to.resize(true_edges);
            for (int r = g.output_count(); r < g.root_count(); ++r)
                if (in_place_.at[r] != 0) {
                    const auto edges_to = [&](int step) {
                        for_each_reader(g.target_leaf(r), [&](int s) {
                            if (s == step || (writer[r] < 0 && writes_piece(s, r))) return;
                            from.push(s);
                            to.push(step);
                        });
                        // Where a step fails, no parameter has been changed.
                        for (const int s : failing) {
                            from.push(s);
                            to.push(step);
                        }
                    };
                    if (writer[r] >= 0) edges_to(writer[r]);
                    else for_each_piece_step(r, edges_to);
                }
            if (sort(from, to, alone, sequence)) break;
            // Some update cannot be in place: give up the last one that waits for a reader which is stuck.
            int stuck = -1;
            vec<char> sorted(count, 0);
            for (const int s : sequence) sorted[s] = 1;
            for (int r = g.output_count(); r < g.root_count(); ++r)
                if (in_place_.at[r] != 0) {
                    if (writer[r] >= 0 && sorted[writer[r]] == 0) stuck = r;
                    else if (writer[r] < 0) for_each_piece_step(r, [&](int step) { if (sorted[step] == 0) stuck = r; });
                }
            in_place_.at[stuck] = 0;
        }
        joining units(count, kernel_ != nullptr ? from : none, kernel_ != nullptr ? to : none);
        if (kernel_ != nullptr) {
            vec<int> kernel;
            for (int i = 0; i < count; ++i) kernel.push(steps.at[i].group >= 0 && !is_idle(i, in_place_) ? (*kernel_)[steps.at[i].group] : -1);
            units.run(sequence, kernel);
            sort(from, to, units, sequence);
        }
        if (role_ != nullptr) {
            vec<closing_role> role;
            for (int i = 0; i < count; ++i) role.push(steps.at[i].group >= 0 && !is_idle(i, in_place_) ? (*role_)[steps.at[i].group] : closing_role::none);
            move_behind_loops(role, from, to, sequence);
        }
        int kept = 0;
        for (const int step : sequence)
            if (!is_idle(step, in_place_)) sequence.at[kept++] = step;
        sequence.resize(kept);
        for (int i = 0; i < kept; ++i) {
            const bool begins = units.unit_of.at[sequence.at[i]] == sequence.at[i];
            first_of_unit_.push(begins ? i : first_of_unit_.back());
        }
        last_of_unit.resize(kept);
        for (int i = kept - 1; i >= 0; --i) last_of_unit.at[i] = i + 1 < kept && first_of_unit_.at[i + 1] == first_of_unit_.at[i] ? last_of_unit.at[i + 1] : i;
        vec<pending_step> sorted;
        vec<int> position(count, -1);
        for (int i = 0; i < kept; ++i) {
            position.at[sequence.at[i]] = i;
            sorted.push(steps.at[sequence.at[i]]);
        }
        const int nodes = step_of.size();
        for (int id = 0; id < nodes; ++id)
            if (step_of.at[id] >= 0) step_of.at[id] = position.at[step_of.at[id]];
        for (int i = 0; i < kept; ++i) steps.at[i] = sorted.at[i];
        steps.resize(kept);
        list_readers(reader_from_.size() - 1);
    }

    /// Orders by level, then by number, as far as the edges allow, with the steps of a unit side by side; false where the edges
    /// are circular.
    constexpr bool sort(const vec<int>& from, const vec<int>& to, const joining& units, vec<int>& sequence) const {
        const int count = steps.size();
        vec<int> waits(count, 0), head(count, -1), next(from.size(), -1), level(count, 0);
        for (int s = 0; s < count; ++s) {
            int& of_unit = level.at[units.unit_of.at[s]];
            of_unit = steps.at[s].level > of_unit ? steps.at[s].level : of_unit;
        }
        for (int e = 0, edges = from.size(); e < edges; ++e) {
            const int before = units.unit_of.at[from.at[e]];
            ++waits.at[units.unit_of.at[to.at[e]]];
            next.at[e] = head.at[before];
            head.at[before] = e;
        }
        sequence.clear();
        waiting_line ready(level);
        for (int s = 0; s < count; ++s)
            if (waits.at[s] == 0 && units.unit_of.at[s] == s) ready.push(s);
        while (!ready.empty()) {
            const int best = ready.pop();
            for (int s = best; s >= 0; s = units.next(s)) sequence.push(s);
            for (int e = head.at[best]; e >= 0; e = next.at[e])
                if (const int unit = units.unit_of.at[to.at[e]]; --waits.at[unit] == 0) ready.push(unit);
        }
        return sequence.size() == count;
    }

    // Buffers

    constexpr int add_buffer(buffer_kind what, int index, element type, const shape& s) {
        buffers.push({what, index, type, s, -1, -1});
        return buffers.size() - 1;
    }

    constexpr void place_all() {
        places.assign(g.nodes.size(), place());
        for (int r = 0; r < g.output_count(); ++r) add_buffer(buffer_kind::output, r, g.nodes.at[g.root_node(r)].type, g.nodes.at[g.root_node(r)].shape);
        const int first_output = buffers.size() - g.output_count();
        vec<int> late;
        const int count = g.nodes.size();
        for (int id = 0; id < count; ++id) {
            if (g.nodes.at[id].what == tag<structure::input>) {
                places.at[id] = {leaf_buffer(id), own_axes(id)};
            } else if (((step_of.at[id] >= 0 && stored_.at[id] != 0) || g.nodes.at[id].place == placement::pieces) && !g.is_piece(id)) {
                const int root = g.root_of(id);
                if (root >= 0 && root < g.output_count() && g.is_layout(g.base_of.at[g.root_node(root)])) {
                    places.at[id] = {first_output + root, own_axes(id), -1, layouts.size()};
                    layouts.push(g.nodes.at[id].shape);
                } else if (root >= 0 && root < g.output_count()) {
                    places.at[id] = {first_output + root, root_axes(id)};
                } else if (root >= 0 && in_place_.at[root] != 0) {
                    places.at[id] = {g.target_leaf(root), root_axes(id)};
                } else {
                    places.at[id] = {add_buffer(buffer_kind::temporary, -1, g.nodes.at[id].type, g.nodes.at[id].shape), own_axes(id)};
                    buffers.back().name = g.nodes.at[id].name;
                    if (root >= 0) late.push(id);
                }
            }
        }
        place_pieces();
        // The addend of a product that nothing else reads is computed where the product goes, as is what a routine changes.
        for (int s = steps.size() - 1; s >= 0; --s) {
            const int product = steps.at[s].call;
            const int at = product < 0 ? -1 : g.nodes.at[product].what == tag<structure::gemm> ? 2 : changed_argument(product);
            if (at < 0 || g.nodes.at[product].in[at] < 0) continue;
            const int c = g.nodes.at[product].in[at];
            if (step_of.at[c] < 0 || g.root_of(c) >= 0 || g.is_piece(c) || read_count_.at[c] != 1 || g.nodes.at[c].type != g.nodes.at[product].type ||
                reads_before(product, c, step_of.at[c], s))
                continue;
            places.at[c] = places.at[product];
        }
        for (const int id : late) {
            pending_step copy;
            copy.copied_from = id;
            copy.copied_to = g.target_leaf(g.root_of(id));
            copy.copied_axis = root_axes(id);
            steps.push(copy);
        }
    }

    /// What is joined lies in one place, a piece in its part of it; a joined node can itself be a piece of a later one.
    constexpr void place_pieces() {
        for (int id = g.nodes.size() - 1; id >= 0; --id) {
            if (g.nodes.at[id].place != placement::pieces || places.at[id].buffer < 0) continue;
            const node& n = g.nodes.at[id];
            const place& whole = places.at[id];
            const int along = static_cast<int>(n.bits);
            size_ref start = 0;
            for (unsigned k = 0; k < 2; ++k) {
                const int piece = g.base_of.at[n.in[k]];
                const axis_map in_joined = axes_in(piece, n.in[k]);
                place part;
                part.buffer = whole.buffer;
                for (int i = 0; i < g.nodes.at[piece].shape.rank; ++i)
                    if (in_joined.at[i] >= 0) part.axis.at[i] = whole.axis.at[in_joined.at[i]];
                part.window = start == 0 ? whole.window : extend_window(windows, whole.window, {whole.axis.at[along], start});
                places.at[piece] = part;
                start = g.nodes.at[n.in[k]].shape[along];
            }
        }
    }

    /// Whether the buffer of a product that is an update in place is still read between the step of the addend, `node`, and the product.
    constexpr bool reads_before(int product, int node, int from, int to) const {
        const int leaf = places.at[product].buffer;
        if (buffers.at[leaf].what != buffer_kind::leaf) return false;
        const int root = root_of_leaf_.at[leaf];  // the product may be the addend of the one that is the update
        bool found = false;
        for (int s = first_of_unit_.at[from]; s < to; ++s) found = found || may_fail(s);
        for_each_reader(leaf, [&](int s) {
            if (found || s < first_of_unit_.at[from] || s > to) return;
            found = s != from || !reads_as_written(from, root, node, node_of_root_.at[root]);
        });
        return found;
    }

    /// What a step uses lives as long as the others of its unit run.
    constexpr void touch(int buffer, int step) {
        const bool alone = kernel_ == nullptr || step >= last_of_unit.size();
        const int first = alone ? step : first_of_unit_.at[step], last = alone ? step : last_of_unit.at[step];
        buffer_facts& b = buffers.at[buffer];
        if (b.first < 0 || first < b.first) b.first = first;
        if (last > b.last) b.last = last;
    }

    constexpr void live_ranges() {
        const int count = g.nodes.size();
        for (int id = 0; id < count; ++id)
            if (step_of.at[id] >= 0 && places.at[id].buffer >= 0) touch(places.at[id].buffer, step_of.at[id]);
        for (int s = 0; s < steps.size(); ++s) {
            if (steps.at[s].copied_from >= 0) touch(places.at[steps.at[s].copied_from].buffer, s);
            else for_each_read(s, [&](int id) { touch(places.at[id].buffer, s); });
        }
    }
};

}  // namespace croton::inline v0_1::detail

#endif
