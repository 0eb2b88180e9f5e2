// SPDX-License-Identifier: MIT
// A program and its plan without their types: one copy of the code that reads them serves every function.
#ifndef CROTON_PLAN_VIEW_HPP
#define CROTON_PLAN_VIEW_HPP

#include <cstdint>
#include <string_view>

#include <croton/kernel/routine.hpp>
#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

struct program_view {
    const leaf_input* leaves = nullptr;
    int leaf_count = 0;
    const size_entry* sizes = nullptr;
    int size_count = 0;
    const node* nodes = nullptr;
    int node_count = 0;
    const int* outputs = nullptr;
    int output_count = 0;
    const update_of* updates = nullptr;
    int update_count = 0;
    const char* letters = nullptr;
    const name_range* name_ranges = nullptr;
    const bound_check* bounds = nullptr;
    int bound_count = 0;
    const extent_demand* demands = nullptr;
    int demand_count = 0;
    const operator_facts* const* own_operators = nullptr;
    const std::string_view* own_structures = nullptr;
    const kernel::routine_facts* const* routines = nullptr;
    int traced = 0;  // nodes before rewriting
    const loop_entry* loops = nullptr;
    int loop_count = 0;
    const int* loop_nodes = nullptr;
    const int* region_of = nullptr;  // where the program holds all regions

    /// The loop that a node is a part of.
    constexpr const loop_entry& loop_of_part(int id) const { return loops[region_of != nullptr ? part_loop(nodes[id].bits) : nodes[nodes[id].in[0]].bits]; }
    /// How many nodes stand for each carried value among a loop's: the first value, and where the program holds all regions the next one.
    constexpr int each_carried() const { return region_of != nullptr ? 2 : 1; }
    constexpr int sequence(const loop_entry& l, int i) const { return loop_nodes[l.from + each_carried() * l.carried + i]; }
    constexpr int captured(const loop_entry& l, int i) const { return sequence(l, l.sequences + i); }
    constexpr int part(const loop_entry& l, int i) const { return captured(l, l.captured + (l.limited ? 1 : 0) + i); }
};

template <class Program> constexpr program_view view_of(const Program& p) {
    return {p.leaves.begin(), p.leaves.size(), p.sizes.begin(), p.sizes.size(), p.nodes.begin(), p.nodes.size(), p.outputs.begin(), p.outputs.size(),
            p.updates.begin(), p.updates.size(), p.letters.begin(), p.names.begin(), p.bounds.begin(), p.bounds.size(), p.demands.begin(), p.demands.size(),
            p.own_operators.begin(), p.own_structures.begin(), p.routines.begin(), p.traced, p.loops.begin(), p.loops.size(), p.loop_nodes.begin(),
            p.region_of.size() > 0 ? p.region_of.begin() : nullptr};
}

struct plan_view : program_view {
    const step* steps = nullptr;
    int step_count = 0;
    const instruction* instructions = nullptr;
    const access* slots = nullptr;
    int slot_count = 0;
    const buffer_facts* buffers = nullptr;
    int buffer_count = 0;
    const shape* layouts = nullptr;
    const window* windows = nullptr;
    int window_count = 0;
    const bool* contiguous_leaf = nullptr;
    int temporaries = 0;
    int first_output = 0;  // of the buffers; the others follow

    constexpr const access& slot(int step, int i) const { return slots[steps[step].slot_from + i]; }
    /// Which loop a step is.
    constexpr int loop_of_step(int step) const {
        int i = 0;
        while (loops[i].region != static_cast<int>(steps[step].bits)) ++i;
        return i;
    }
    constexpr bool is_leaf(int buffer) const { return buffers[buffer].what == buffer_kind::leaf; }
};

template <class Program, class Plan> constexpr plan_view view_of(const Program& p, const Plan& l) {
    int first_output = 0;
    while (first_output < l.buffers.size() && l.buffers.begin()[first_output].what != buffer_kind::output) ++first_output;
    return {view_of(p),
            l.steps.begin(), l.steps.size(), l.instructions.begin(), l.slots.begin(), l.slots.size(),
            l.buffers.begin(), l.buffers.size(), l.layouts.begin(), l.windows.begin(), l.windows.size(), l.contiguous_leaf.begin(), l.temporaries, first_output};
}

/// An extent in a call whose table of sizes is `values`.
inline std::int64_t size_value(size_ref s, const std::int64_t* values) { return s >= 0 ? s : values[-1 - s]; }

inline std::int64_t element_count(const shape& s, const std::int64_t* values) {
    std::int64_t n = 1;
    for (int i = 0; i < s.rank; ++i) n *= size_value(s[i], values);
    return n;
}

/// The strides of an array whose elements lie side by side, the last axis innermost.
inline void row_major(const shape& s, const std::int64_t* values, std::int64_t* stride) {
    std::int64_t step = 1;
    for (int i = s.rank; i-- > 0;) {
        stride[i] = step;
        step *= size_value(s[i], values);
    }
}

/// Narrows strides to a chain of windows, and returns the elements from the memory's first one to theirs.
inline std::int64_t enter_windows(const plan_view& p, int first, const shape& extents, const std::int64_t* values, std::int64_t* stride) {
    std::int64_t offset = 0, at[max_rank] = {}, step[max_rank] = {};
    for (std::int64_t& s : step) s = 1;
    for (int i = first; i >= 0; i = p.windows[i].next) {
        const window& w = p.windows[i];
        at[w.axis] += step[w.axis] * size_value(w.start, values);
        step[w.axis] *= w.step;
    }
    for (int k = 0; k < extents.rank; ++k) {
        // A part of nothing begins nowhere.
        if (at[k] < 0 || at[k] >= size_value(extents[k], values)) at[k] = 0;
        offset += at[k] * stride[k];
        stride[k] *= step[k];
    }
    return offset;
}

/// What a routine that computes elements asks of its arguments.
inline void fill_argument_extents(const plan_view& p, const step& s, const std::int64_t* sizes, kernel::routine_call& c) {
    for (int k = 0; k + 1 < s.slot_count; ++k) {
        const shape& of = p.layouts[s.shapes + k];
        for (int i = 0; i < of.rank; ++i) c.from[k][i] = size_value(of[i], sizes);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
