// SPDX-License-Identifier: MIT
// The order of the steps, where each value is stored, and while which steps it must lie there.
#ifndef CROTON_PLAN_SCHEDULE_HPP
#define CROTON_PLAN_SCHEDULE_HPP

#include <croton/plan/groups.hpp>
#include <croton/plan/joint.hpp>

namespace croton::inline v0_1::detail {

/// Where a stored node lies: its buffer, and which of the buffer's axes each of its own is.
struct place {
    int buffer = -1;
    axis_map axis = no_axes;
};

/// One step before it is written out: a group or a product.
struct pending_step {
    int group = -1;
    int product = -1;
    int copied_to = -1;  // a leaf that receives a temporary after everything else has run
    int copied_from = -1;
    int level = 0;
    axis_map copied_axis = no_axes;  // the parameter's axis for each axis of the temporary
    int read_from = 0, read_count = 0;  // which of the reads are this step's
};

class scheduling {
public:
    constexpr explicit scheduling(const grouping& groups) : g(groups) {}

    /// Brings groups with the same number in `kernel` side by side where the order allows it; -1 is none.
    constexpr scheduling(const grouping& groups, const vec<int>& kernel) : g(groups), kernel_(&kernel) {}

    vec<pending_step> steps;  // in order
    vec<int> last_of_unit;    // by step: the last one of those that run side by side with it
    vec<int> step_of;         // by node
    vec<place> places;        // by node
    vec<buffer_facts> buffers;
    int temporaries = 0;      // those that something uses; their buffers have numbers from 0

    template <class Program> constexpr void run(const Program& p) {
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

    constexpr bool is_stored(int id) const { return stored_.at[id] != 0; }
    constexpr int leaf_buffer(int id) const { return static_cast<int>(g.nodes.at[id].bits); }

private:
    const grouping& g;
    const vec<int>* kernel_ = nullptr;  // by group
    vec<int> first_of_unit_;            // by step
    vec<char> stored_;       // by node: read from memory by another step, or a root
    vec<char> in_place_;     // by root: an update that its step writes straight into the parameter
    vec<int> reads_;         // the nodes that steps take from memory, those of a step side by side
    vec<int> read_count_;    // by node: how many of them are this one
    vec<int> readers_;       // the steps that take an argument of the function, those of a leaf side by side
    vec<int> reader_from_;   // by leaf, and one more: where its readers begin
    vec<int> node_of_root_;  // by root: the node that is stored for it
    vec<int> root_of_leaf_;  // by leaf: the update that writes it, or -1

    template <class Program> static constexpr size_ref representative(const Program& p, size_ref s) {
        return s >= 0 ? s : p.sizes[arena::index_of(s)].same_as;
    }

    constexpr void make_steps() {
        step_of.assign(g.nodes.size(), -1);
        for (int i = 0; i < g.groups.size(); ++i)
            if (g.groups.at[i].alive) {
                for (int m = g.groups.at[i].first; m >= 0; m = g.next.at[m]) step_of.at[m] = steps.size();
                steps.push({i, -1, -1, -1, g.groups.at[i].level});
            }
        for (int id = 0; id < g.nodes.size(); ++id)
            if (g.is_product(id)) {
                step_of.at[id] = steps.size();
                steps.push({-1, id, -1, -1, g.level_of.at[id]});
            }
    }

    /// The node in memory behind an argument: through aliases and reshapes.
    constexpr int source_of(int id) const {
        for (;;) {
            id = g.base_of(id);
            if (!g.is_layout(id)) return id;
            id = g.nodes.at[id].in[0];
        }
    }

    /// Notes once what every step takes from memory; rank-0 arithmetic is followed to what it reads.
    constexpr void list_reads(int leaves) {
        read_count_.assign(g.nodes.size(), 0);
        for (int s = 0; s < steps.size(); ++s) {
            pending_step& step = steps.at[s];
            step.read_from = reads_.size();
            if (step.product >= 0) {
                read_arguments(s, step.product);
            } else {
                for (int m = g.groups.at[step.group].first; m >= 0; m = g.next.at[m]) read_arguments(s, m);
            }
            step.read_count = reads_.size() - step.read_from;
        }
        list_readers(leaves);
    }
    constexpr void read_arguments(int step, int id) {
        const node& n = g.nodes.at[id];
        for (int i = 0; i < max_arguments; ++i)
            if (const int a = n.in[i]; a >= 0) read(step, a);
    }
    constexpr void read(int step, int a) {
        const int source = source_of(a);
        const std::uint8_t what = g.nodes.at[source].what;
        if (what == tag<structure::apply> && g.is_inline(a)) {
            read_arguments(step, source);
        } else if (what == tag<structure::input> || (step_of.at[source] >= 0 && step_of.at[source] != step)) {
            reads_.push(source);
            ++read_count_.at[source];
        }
    }

    /// Calls f(node read) for every value that a step takes from memory.
    template <class F> constexpr void for_each_read(int step, F&& f) const {
        const int from = steps.at[step].read_from, to = from + steps.at[step].read_count;
        for (int i = from; i < to; ++i) f(reads_.at[i]);
    }

    /// Calls f(step) for every read of an argument of the function.
    template <class F> constexpr void for_each_reader(int leaf, F&& f) const {
        for (int i = reader_from_.at[leaf]; i < reader_from_.at[leaf + 1]; ++i) f(readers_.at[i]);
    }

    /// Lists the readers of each leaf, in the order of the steps.
    constexpr void list_readers(int leaves) {
        vec<int> begin(leaves + 1, 0);
        for (const int id : reads_)
            if (g.nodes.at[id].what == tag<structure::input>) ++begin[leaf_buffer(id) + 1];
        for (int i = 0; i < leaves; ++i) begin[i + 1] += begin[i];
        reader_from_.clear();
        for (const int from : begin) reader_from_.push(from);
        readers_.resize(begin[leaves]);
        for (int s = 0; s < steps.size(); ++s)
            for_each_read(s, [&](int id) {
                if (g.nodes.at[id].what == tag<structure::input>) readers_.at[begin[leaf_buffer(id)]++] = s;
            });
    }

    constexpr void find_stored() {
        stored_.assign(g.nodes.size(), 0);
        for (const int id : reads_) stored_.at[id] = 1;
        node_of_root_.assign(g.root_count(), -1);
        for (int id = 0; id < g.nodes.size(); ++id)
            if (const int root = g.root_of(id); root >= 0) {
                stored_.at[id] = 1;
                if (node_of_root_.at[root] < 0) node_of_root_.at[root] = id;
            }
        root_of_leaf_.assign(reader_from_.size(), -1);
        for (int r = g.output_count(); r < g.root_count(); ++r)
            if (root_of_leaf_.at[g.target_leaf(r)] < 0) root_of_leaf_.at[g.target_leaf(r)] = r;
    }

    // Order

    /// Whether step `s` may write the parameter of update `root` while it reads it: only at the very element it writes. It
    /// writes `node`, which lies where `owner` is stored for the root: itself, or the product that it is the addend of.
    constexpr bool reads_as_written(int s, int root, int node, int owner) const {
        const int leaf = g.target_leaf(root);
        const pending_step& step = steps.at[s];
        if (step.product >= 0) {
            for (unsigned i = 0; i < 2; ++i) {
                const int a = source_of(g.nodes.at[node].in[i]);
                if (g.nodes.at[a].what == tag<structure::input> && leaf_buffer(a) == leaf) return false;
            }
            // The addend must be the parameter as it is, or come from elsewhere.
            const int c = g.nodes.at[node].in[2];
            if (c < 0) return true;
            const int source = source_of(c);
            return g.nodes.at[source].what != tag<structure::input> || leaf_buffer(source) != leaf || source == c;
        }
        bool fits = true;
        for (int m = g.groups.at[step.group].first; m >= 0; m = g.next.at[m])
            for (int k = 0; k < max_arguments; ++k) {
                const int a = g.nodes.at[m].in[k];
                if (a < 0) continue;
                const int source = source_of(a);
                if (g.nodes.at[source].what != tag<structure::input> || leaf_buffer(source) != leaf) continue;
                if (g.base_of(a) != source) return false;  // through a reshape
                const int rank = g.reduces(m) ? g.nodes.at[a].shape.rank : g.nodes.at[m].shape.rank;
                const axis_map loops = g.into(a, g.argument_axes(rank, g.axes.at[m], a));
                const axis_map written = loops_of(node, owner);
                for (int i = 0; i < g.nodes.at[source].shape.rank; ++i)
                    if (g.nodes.at[source].shape[i] != 1) fits = fits && loops[i] == written[i];
            }
        return fits;
    }

    /// The loop axes of the buffer that node `node` is stored to in the place of root node `owner`.
    constexpr axis_map loops_of(int node, int owner) const {
        const axis_map to_buffer = root_axes(owner);
        axis_map out = no_axes;
        for (int i = 0; i < g.nodes.at[node].shape.rank; ++i)
            if (to_buffer[i] >= 0) out[to_buffer[i]] = g.axes.at[node][i];
        return out;
    }

    /// For a node that is stored for a root: the root's axis that each of its axes is.
    constexpr axis_map root_axes(int node) const {
        axis_map identity = no_axes;
        const int shown = g.root_node(g.root_of(node));
        for (int i = 0; i < g.nodes.at[shown].shape.rank; ++i) identity[i] = static_cast<std::int8_t>(i);
        axis_map out = identity;
        if (shown != node) {
            // The root is a view of the node that only drops or adds axes of extent 1.
            out = no_axes;
            int id = shown;
            axis_map here = identity;
            while (id != node) {
                axis_map below = no_axes;
                for (int i = 0; i < g.nodes.at[id].shape.rank; ++i) {
                    const int s = view_axis(g.nodes.at[id].bits, i);
                    if (s != new_axis) below[s] = here[i];
                }
                here = below;
                id = g.nodes.at[id].in[0];
            }
            out = here;
        }
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
            writer[root] = step_of.at[node];
            in_place_.at[root] = reads_as_written(writer[root], root, node, node) ? 1 : 0;
        }
        vec<int> from, to;  // edges
        for (int s = 0; s < count; ++s)
            for_each_read(s, [&](int id) {
                if (g.nodes.at[id].what != tag<structure::input>) {
                    from.push(step_of.at[id]);
                    to.push(s);
                }
            });
        const int true_edges = from.size();
        vec<int> sequence;
        const vec<int> none;
        const joining alone(count, none, none);
        for (;;) {
            from.resize(true_edges);
            to.resize(true_edges);
            for (int r = g.output_count(); r < g.root_count(); ++r)
                if (in_place_.at[r] != 0)
                    for_each_reader(g.target_leaf(r), [&](int s) {
                        if (s == writer[r]) return;
                        from.push(s);
                        to.push(writer[r]);
                    });
            if (sort(from, to, alone, sequence)) break;
            // Some update cannot be in place: give up the last one that waits for a reader which is stuck.
            int stuck = -1;
            vec<char> sorted(count, 0);
            for (const int s : sequence) sorted[s] = 1;
            for (int r = g.output_count(); r < g.root_count(); ++r)
                if (in_place_.at[r] != 0 && sorted[writer[r]] == 0) stuck = r;
            in_place_.at[stuck] = 0;
        }
        joining units(count, from, to);
        if (kernel_ != nullptr) {
            vec<int> kernel;
            for (const pending_step& s : steps) kernel.push(s.group >= 0 ? (*kernel_)[s.group] : -1);
            units.run(sequence, kernel);
            sort(from, to, units, sequence);
        }
        for (int i = 0; i < count; ++i) {
            const bool begins = units.unit(sequence[i]) == sequence[i];
            first_of_unit_.push(begins ? i : first_of_unit_.back());
        }
        last_of_unit.resize(count);
        for (int i = count - 1; i >= 0; --i) last_of_unit.at[i] = i + 1 < count && first_of_unit_.at[i + 1] == first_of_unit_.at[i] ? last_of_unit.at[i + 1] : i;
        vec<pending_step> sorted;
        vec<int> position(count, 0);
        for (int i = 0; i < count; ++i) {
            position[sequence[i]] = i;
            sorted.push(steps.at[sequence[i]]);
        }
        for (int id = 0; id < step_of.size(); ++id)
            if (step_of.at[id] >= 0) step_of.at[id] = position[step_of.at[id]];
        for (int i = 0; i < count; ++i) steps.at[i] = sorted[i];
        list_readers(reader_from_.size() - 1);
    }

    /// Orders by level, then by number, as far as the edges allow, with the steps of a unit side by side; false where the edges
    /// are circular.
    constexpr bool sort(const vec<int>& from, const vec<int>& to, const joining& units, vec<int>& sequence) const {
        const int count = steps.size();
        vec<int> waits(count, 0), head(count, -1), next(from.size(), -1), level(count, 0);
        for (int s = 0; s < count; ++s) {
            int& of_unit = level.at[units.unit(s)];
            of_unit = steps.at[s].level > of_unit ? steps.at[s].level : of_unit;
        }
        for (int e = 0; e < from.size(); ++e) {
            const int before = units.unit(from[e]);
            ++waits.at[units.unit(to[e])];
            next[e] = head.at[before];
            head.at[before] = e;
        }
        sequence.clear();
        waiting_line ready(level);
        for (int s = 0; s < count; ++s)
            if (waits.at[s] == 0 && units.unit(s) == s) ready.push(s);
        while (!ready.empty()) {
            const int best = ready.pop();
            for (int s = best; s >= 0; s = units.next(s)) sequence.push(s);
            for (int e = head.at[best]; e >= 0; e = next[e])
                if (const int unit = units.unit(to[e]); --waits.at[unit] == 0) ready.push(unit);
        }
        return sequence.size() == count;
    }

    /// Steps that could run: gives the one of the lowest level, then of the lowest number. A binary heap.
    class waiting_line {
    public:
        constexpr explicit waiting_line(const vec<int>& level) : level_(level) {}
        constexpr bool empty() const { return heap_.empty(); }
        constexpr void push(int step) {
            int at = heap_.size();
            heap_.push(step);
            for (; at > 0 && before(step, heap_.at[(at - 1) / 2]); at = (at - 1) / 2) heap_.at[at] = heap_.at[(at - 1) / 2];
            heap_.at[at] = step;
        }
        constexpr int pop() {
            const int first = heap_.at[0], last = heap_.back();
            heap_.pop();
            const int count = heap_.size();
            int at = 0;
            for (int below = 1; below < count; below = 2 * at + 1) {
                if (below + 1 < count && before(heap_.at[below + 1], heap_.at[below])) ++below;
                if (!before(heap_.at[below], last)) break;
                heap_.at[at] = heap_.at[below];
                at = below;
            }
            if (count > 0) heap_.at[at] = last;
            return first;
        }

    private:
        const vec<int>& level_;
        vec<int> heap_;

        constexpr bool before(int a, int b) const { return level_.at[a] != level_.at[b] ? level_.at[a] < level_.at[b] : a < b; }
    };

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
        for (int id = 0; id < g.nodes.size(); ++id) {
            if (g.nodes.at[id].what == tag<structure::input>) {
                places.at[id] = {leaf_buffer(id), own_axes(id)};
            } else if (step_of.at[id] >= 0 && stored_.at[id] != 0) {
                const int root = g.root_of(id);
                if (root >= 0 && root < g.output_count()) {
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
        // The addend of a product that nothing else reads is computed where the product goes.
        for (int s = steps.size() - 1; s >= 0; --s) {
            const int product = steps.at[s].product;
            if (product < 0 || g.nodes.at[product].what != tag<structure::gemm> || g.nodes.at[product].in[2] < 0) continue;
            const int c = g.nodes.at[product].in[2];
            if (step_of.at[c] < 0 || g.root_of(c) >= 0 || read_count_.at[c] != 1 || reads_before(product, step_of.at[c], s)) continue;
            places.at[c] = {places.at[product].buffer, places.at[product].axis};
        }
        for (const int id : late) {
            pending_step copy;
            copy.copied_from = id;
            copy.copied_to = g.target_leaf(g.root_of(id));
            copy.copied_axis = root_axes(id);
            steps.push(copy);
        }
    }

    /// Whether the buffer of a product that is an update in place is still read between the addend's step and the product.
    constexpr bool reads_before(int product, int from, int to) const {
        const int leaf = places.at[product].buffer;
        if (buffers.at[leaf].what != buffer_kind::leaf) return false;
        const int root = root_of_leaf_.at[leaf];  // the product may be the addend of the one that is the update
        bool found = false;
        for_each_reader(leaf, [&](int s) {
            if (found || s < first_of_unit_.at[from] || s > to) return;
            found = s != from || !reads_as_written(from, root, g.nodes.at[product].in[2], node_of_root_.at[root]);
        });
        return found;
    }

    constexpr axis_map own_axes(int id) const {
        axis_map out = no_axes;
        for (int i = 0; i < g.nodes.at[id].shape.rank; ++i) out[i] = static_cast<std::int8_t>(i);
        return out;
    }

    /// What a step uses lives as long as the others of its unit run.
    constexpr void touch(int buffer, int step) {
        const bool copies = step >= last_of_unit.size();
        const int first = copies ? step : first_of_unit_.at[step], last = copies ? step : last_of_unit.at[step];
        buffer_facts& b = buffers.at[buffer];
        if (b.first < 0 || first < b.first) b.first = first;
        if (last > b.last) b.last = last;
    }

    constexpr void live_ranges() {
        for (int id = 0; id < g.nodes.size(); ++id)
            if (step_of.at[id] >= 0 && places.at[id].buffer >= 0) touch(places.at[id].buffer, step_of.at[id]);
        for (int s = 0; s < steps.size(); ++s) {
            if (steps.at[s].copied_from >= 0) touch(places.at[steps.at[s].copied_from].buffer, s);
            else for_each_read(s, [&](int id) { touch(places.at[id].buffer, s); });
        }
    }
};

}  // namespace croton::inline v0_1::detail

#endif
