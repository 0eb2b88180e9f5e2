// SPDX-License-Identifier: MIT
// The steps of a plan before they have an order: what each takes from memory, and what must lie there.
#ifndef CROTON_PLAN_STEP_LIST_HPP
#define CROTON_PLAN_STEP_LIST_HPP

#include <croton/plan/groups.hpp>

namespace croton::inline v0_1::detail {

/// One step before it is written out: a group, or a call.
struct pending_step {
    int group = -1;
    int call = -1;  // a product or a routine: the node
    int copied_to = -1;  // a leaf that receives a temporary after everything else has run
    int copied_from = -1;
    int level = 0;
    axis_map copied_axis = no_axes;  // the parameter's axis for each axis of the temporary
    int read_from = 0, read_count = 0;  // which of the reads are this step's
};

class step_list {
public:
    vec<pending_step> steps;
    vec<int> step_of;  // by node

    constexpr explicit step_list(const grouping& groups) : g(groups) {}

    constexpr bool is_stored(int id) const { return stored_.at[id] != 0; }
    constexpr int leaf_buffer(int id) const { return static_cast<int>(g.nodes.at[id].bits); }

protected:
    const grouping& g;
    vec<char> stored_;       // by node: read from memory by another step, or a root
    vec<int> reads_;         // the nodes that steps take from memory, those of a step side by side
    vec<int> read_count_;    // by node: how many of them are this one
    vec<int> readers_;       // the steps that take an argument of the function, those of a leaf side by side
    vec<int> reader_from_;   // by leaf, and one more: where its readers begin
    vec<int> node_of_root_;  // by root: the node that is stored for it
    vec<int> root_of_leaf_;  // by leaf: the update that writes it, or -1

    constexpr void make_steps() {
        step_of.assign(g.nodes.size(), -1);
        for (int i = 0; i < g.groups.size(); ++i)
            if (g.groups.at[i].alive) {
                for (int m = g.groups.at[i].first; m >= 0; m = g.next.at[m]) step_of.at[m] = steps.size();
                steps.push({i, -1, -1, -1, g.groups.at[i].level});
            }
        const int count = g.nodes.size();
        for (int id = 0; id < count; ++id)
            if (const placement place = g.nodes.at[id].place; place == placement::call || place == placement::repeat) {
                step_of.at[id] = steps.size();
                steps.push({-1, id, -1, -1, g.level_of.at[id]});
            } else if (place == placement::part) {
                step_of.at[id] = step_of.at[g.nodes.at[id].in[0]];
            }
    }

    /// Notes once what every step takes from memory; rank-0 arithmetic is followed to what it reads.
    constexpr void list_reads(int leaves) {
        read_count_.assign(g.nodes.size(), 0);
        for (int s = 0; s < steps.size(); ++s) {
            pending_step& step = steps.at[s];
            step.read_from = reads_.size();
            if (step.call >= 0) {
                read_arguments(s, step.call);
            } else {
                for (int m = g.groups.at[step.group].first; m >= 0; m = g.next.at[m]) read_arguments(s, m);
            }
            step.read_count = reads_.size() - step.read_from;
        }
        list_readers(leaves);
    }
    constexpr void read_arguments(int step, int id) {
        const node& n = g.nodes.at[id];
        if (n.place == placement::repeat) return g.each_argument(id, [&](int a) { read(step, a); });
        for (int i = 0; i < max_arguments; ++i) {
            const int a = n.in[i];
            if (a >= 0) read(step, a);
            else if (n.place == placement::loop) break;
        }
    }
    constexpr void read(int step, int a) {
        // Most are of the step's own group.
        if (step_of.at[g.base_of.at[a]] == step) return;
        const int source = g.source_of(a);
        const std::uint8_t what = g.nodes.at[source].what;
        if ((what == tag<structure::apply> && g.is_inline.at[a]) || g.is_joined(source)) {
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
        for (int s = 0; s < steps.size(); ++s)
            for (int i = steps.at[s].read_from, end = i + steps.at[s].read_count; i < end; ++i)
                if (const node& n = g.nodes.at[reads_.at[i]]; n.what == tag<structure::input>) ++begin.at[static_cast<int>(n.bits) + 1];
        for (int i = 0; i < leaves; ++i) begin[i + 1] += begin[i];
        reader_from_.clear();
        for (const int from : begin) reader_from_.push(from);
        readers_.resize(begin[leaves]);
        for (int s = 0; s < steps.size(); ++s)
            for (int i = steps.at[s].read_from, end = i + steps.at[s].read_count; i < end; ++i)
                if (const node& n = g.nodes.at[reads_.at[i]]; n.what == tag<structure::input>) readers_.at[begin.at[static_cast<int>(n.bits)]++] = s;
    }

    constexpr void find_stored() {
        stored_.assign(g.nodes.size(), 0);
        for (const int id : reads_) stored_.at[id] = 1;
        const int count = g.nodes.size();
        if (g.has_pieces())
            for (int id = 0; id < count; ++id)
                if (g.is_piece(id)) stored_.at[id] = 1;
        node_of_root_.assign(g.root_count(), -1);
        for (int id = 0; id < count; ++id)
            if (const int root = g.root_of(id); root >= 0) {
                stored_.at[id] = 1;
                if (node_of_root_.at[root] < 0) node_of_root_.at[root] = id;
            }
        root_of_leaf_.assign(reader_from_.size(), -1);
        for (int r = g.output_count(); r < g.root_count(); ++r)
            if (root_of_leaf_.at[g.target_leaf(r)] < 0) root_of_leaf_.at[g.target_leaf(r)] = r;
    }
};

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

}  // namespace croton::inline v0_1::detail

#endif
