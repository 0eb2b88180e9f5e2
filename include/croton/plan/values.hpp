// SPDX-License-Identifier: MIT
// The values that a step computes with: where they are read from memory, in which block each is computed, and under which number.
#ifndef CROTON_PLAN_VALUES_HPP
#define CROTON_PLAN_VALUES_HPP

#include <croton/plan/schedule.hpp>

namespace croton::inline v0_1::detail {

/// Writes the instructions of one step, and the slots that they read.
template <int Capacity> class value_writer {
public:
    constexpr value_writer(const grouping& groups, const scheduling& schedule, plan<Capacity>& target) : g(groups), s(schedule), out(target) {
        const int count = g.nodes.size();
        row_.assign(count, -1);
        uniform_.assign(count, -1);
        phase_of_.assign(count, -1);
        element_.resize_unset(count);
        at_.assign(count, 0);
        for (const window& w : s.windows) windows_.push(w);
        for (const shape& l : s.layouts) out.layouts.push(l);
    }

protected:
    const grouping& g;
    const scheduling& s;
    plan<Capacity>& out;

    // The step that is written
    step now_;
    vec<instruction> code_;
    struct truth_load {
        int place;  // in the code
        value_ref value;
    };
    vec<truth_load> truth_loads_;
    axis_map position_{};             // of each loop axis of the group in the order of the loops
    unsigned inner_ = 0;              // loop positions that are inner
    int innermost_ = -1;
    int group_ = -1;
    int row_count_ = 0, uniform_count_ = 0, element_count_ = 0, phase_ = 0;
    // By node, and by slot of the step: what is less than `first_` was noted for another step
    int first_ = 0;
    vec<int> phase_of_, element_;     // by node: for which phase it was written last, and where
    vec<int> row_, uniform_;          // by node: the position
    vec<int> loaded_in_, loaded_;     // by slot: the block in which it was loaded last, and the value
    int slots_ = 0;                   // for which those two have room
    vec<signed char> at_;             // by node: its level
    vec<window> windows_;             // those of the whole plan

    constexpr void begin() {
        // What was noted for an earlier step is less than what is noted for this one.
        first_ += code_.size() + 3 * now_.phases + 3;
        now_ = step();
        now_.slot_from = out.slots.size();
        now_.instruction_from = out.instructions.size();
        code_.clear();
        truth_loads_.clear();
        row_count_ = uniform_count_ = element_count_ = phase_ = 0;
    }

    /// A truth value that is read only to become a number is read as the byte that it is, which is 0 or 1.
    constexpr void load_bytes() {
        for (const truth_load& read : truth_loads_) {
            const auto reads = [&](const instruction& i, int k) {
                const bool near = read.value.at != level::element || (i.block - 2) / 3 == (code_.at[read.place].block - 2) / 3;
                return near && i.in[k].at == read.value.at && i.in[k].index == read.value.index && i.in[k].type == element::boolean;
            };
            bool converts = true;
            for (const instruction& i : code_)
                for (int k = 0; k < 3 && converts; ++k) converts = !reads(i, k) || (i.what == code_of::convert && i.type != element::boolean);
            if (!converts) continue;
            for (instruction& i : code_)
                if (i.what == code_of::convert && reads(i, 0)) i.in[0].type = element::uint8;
            code_.at[read.place].type = element::uint8;
        }
    }

    constexpr void finish() {
        load_bytes();
        // Instructions go out block by block.
        const int blocks = 2 + 3 * now_.phases, count = code_.size();
        for (int b = 0, next = blocks; b < blocks; b = next, next = blocks)
            for (int i = 0; i < count; ++i) {
                const int block = code_.at[i].block;
                if (block == b) out.instructions.push(code_.at[i]);
                else if (block > b && block < next) next = block;
            }
        now_.instruction_count = out.instructions.size() - now_.instruction_from;
        now_.slot_count = out.slots.size() - now_.slot_from;
        out.steps.push(now_);
    }

    // Memory

    constexpr access access_of(const place& at, int layout, const axis_map& loops, int rank) const {
        access a;
        a.buffer = at.buffer;
        a.layout = layout >= 0 ? layout : at.layout;
        a.window = at.window;
        for (int i = 0; i < rank; ++i) {
            const int loop = loops.at[i], axis = at.axis.at[i];
            if (loop >= 0 && axis >= 0) a.axis.at[position_.at[loop]] = static_cast<std::int8_t>(axis);
        }
        return a;
    }

    /// How node `a` (an argument whose axes lie on `loops`) is read from memory; `along`: an axis of it, whose axis there the slot names.
    constexpr access reading(int a, const axis_map& loops, int along = new_axis) {
        axis_map axes = g.into(a, loops);
        int base = g.base_of.at[a];
        if (along == new_axis && g.nodes.at[base].place != placement::layout && g.nodes.at[base].place != placement::window)
            return access_of(s.places.at[base], -1, axes, g.nodes.at[base].shape.rank);
        along = along == new_axis ? along : g.axis_below(a, along);
        vec<window> parts;  // those behind which the memory is, the furthest from it first, with axes of node `base`
        while (g.is_window(base)) {
            const node& n = g.nodes.at[base];
            parts.push({slice_axis(n.bits), slice_start(n.bits), slice_step(n.bits)});
            for (window& w : parts) w.axis = g.axis_below(n.in[0], w.axis);
            if (along != new_axis) along = g.axis_below(n.in[0], along);
            axes = g.into(n.in[0], axes);
            base = g.base_of.at[n.in[0]];
        }
        const node& n = g.nodes.at[base];
        place at;
        int layout = -1;
        if (n.place == placement::layout) {
            const int buffer = s.places.at[g.source_of(base)].buffer;
            if (s.buffers.at[buffer].what == buffer_kind::leaf) out.contiguous_leaf[s.buffers.at[buffer].index] = true;
            out.layouts.push(n.shape);
            layout = out.layouts.size() - 1;
            at.buffer = buffer;
            for (int i = 0; i < n.shape.rank; ++i) at.axis.at[i] = static_cast<std::int8_t>(i);
        } else {
            at = s.places.at[base];
        }
        for (int i = parts.size() - 1; i >= 0; --i) {
            if (parts.at[i].axis == new_axis || at.axis.at[parts.at[i].axis] < 0) continue;  // an extent of 1 that memory does not know
            parts.at[i].axis = at.axis.at[parts.at[i].axis];
            at.window = extend_window(windows_, at.window, parts.at[i]);
        }
        access from = access_of(at, layout, axes, n.shape.rank);
        if (along != new_axis && n.shape[along] != 1) from.along = at.axis.at[along];
        return from;
    }

    constexpr int add_slot(const access& a) {
        const int count = out.slots.count;
        if (count <= out.slots.room) {
            const access* const slots = out.slots.entry;
            for (int i = now_.slot_from; i < count; ++i) {
                const access& old = slots[i];
                if (old.buffer == a.buffer && old.layout == a.layout && old.window == a.window && old.gathered == a.gathered && old.axis == a.axis)
                    return i - now_.slot_from;
            }
        }
        out.slots.push(a);
        return count - now_.slot_from;
    }

    constexpr unsigned varies(const access& a) const {
        unsigned mask = 0;
        for (int i = 0; i <= innermost_; ++i)
            if (a.axis.at[i] >= 0) mask |= 1u << i;
        return mask;
    }

    // Values

    constexpr axis_map argument_loops(int id, int k) const { return g.argument_axes(id, k, g.axes.at[id]); }

    constexpr unsigned loop_mask(const axis_map& loops, int rank) const {
        unsigned mask = 0;
        for (int i = 0; i < rank; ++i)
            if (loops.at[i] >= 0) mask |= 1u << position_.at[loops.at[i]];
        return mask;
    }

    /// The level a value that varies along these loop positions is computed at.
    constexpr level level_for(unsigned mask) const {
        return (mask & inner_) != 0 ? level::element : mask != 0 ? level::row : level::uniform;
    }

    constexpr int block_of(level at) const {
        return at == level::uniform ? 0 : at == level::element ? 2 + 3 * phase_ : phase_ == 0 ? 1 : 4 + 3 * (phase_ - 1);
    }

    constexpr value_ref push(instruction i, level at) {
        i.block = block_of(at);
        code_.push(i);
        int& count = at == level::uniform ? uniform_count_ : at == level::row ? row_count_ : element_count_;
        return {at, i.type, count++};
    }

    constexpr void remember(int id, const value_ref& v) {
        if (v.at == level::uniform) uniform_.at[id] = first_ + v.index;
        else if (v.at == level::row) row_.at[id] = first_ + v.index;
        else {
            phase_of_.at[id] = first_ + phase_;
            element_.at[id] = v.index;
        }
    }
    constexpr bool recall(int id, value_ref& v) const {
        if (phase_of_.at[id] == first_ + phase_) v = {level::element, g.nodes.at[id].type, element_.at[id]};
        else if (uniform_.at[id] >= first_) v = {level::uniform, g.nodes.at[id].type, uniform_.at[id] - first_};
        else if (row_.at[id] >= first_) v = {level::row, g.nodes.at[id].type, row_.at[id] - first_};
        else return false;
        return true;
    }

    /// The value of argument `a`, whose axes lie on `loops`, in the block where its level is computed.
    constexpr value_ref value_of(int a, const axis_map& loops) {
        const int base = g.base_of.at[a];
        const node& n = g.nodes.at[base];
        value_ref v;
        if (g.group_of.at[base] == group_ && group_ >= 0) {
            if (recall(base, v)) return v;
            return compute(base, static_cast<level>(at_.at[base]));
        }
        if (n.what == tag<structure::literal>) return literal(n);
        if (n.what == tag<structure::size>) {
            if (recall(base, v)) return v;
            instruction i;
            i.what = code_of::size;
            i.type = n.type;
            i.slot = arena::index_of(n.bits);
            v = push(i, level::uniform);
            remember(base, v);
            return v;
        }
        if (n.what == tag<structure::arange>) {
            const axis_map axes = g.into(a, loops);
            // The index along the loop axis; the same arange may run along several.
            instruction i;
            i.what = code_of::arange;
            i.type = n.type;
            i.slot = axes.at[0] < 0 ? 0 : position_.at[axes.at[0]];
            if (axes.at[0] < 0) return literal_value(n.type, 0);
            return push(i, level_for(1u << i.slot));
        }
        if (g.is_inline.at[a] && n.what == tag<structure::apply>) {
            if (recall(base, v)) return v;
            return compute(base, level::uniform);
        }
        return load(a, loops);
    }

    constexpr value_ref literal(const node& n) {
        instruction i;
        i.what = code_of::literal;
        i.type = arithmetic_of(n.type);
        i.bits = n.bits;
        return same_or_push(i);
    }
    constexpr value_ref literal_value(element type, std::int64_t bits) {
        instruction i;
        i.what = code_of::literal;
        i.type = type;
        i.bits = bits;
        return same_or_push(i);
    }
    constexpr value_ref same_or_push(const instruction& i) {
        int at = 0;
        for (const instruction& old : code_)
            if (old.block == 0) {
                if (old.what == i.what && old.type == i.type && old.bits == i.bits) return {level::uniform, i.type, at};
                ++at;
            }
        return push(i, level::uniform);
    }

    constexpr value_ref load(int a, const axis_map& loops) {
        const access from = reading(a, loops);
        const unsigned mask = varies(from);
        const level at = level_for(mask);
        instruction i;
        i.what = code_of::load;
        i.type = s.buffers.at[from.buffer].type;
        i.slot = add_slot(from);
        i.fixed = at == level::element && ((mask >> innermost_) & 1u) == 0;
        // The same slot, which is of one level, is read once for the rows and once in each other block.
        const int block = at == level::row ? 1 : block_of(at);
        if (slots_ <= i.slot) {
            slots_ = i.slot + 32;
            loaded_in_.resize(slots_, -1);
            loaded_.resize(slots_, -1);
        }
        const int here = first_ + block;
        if (loaded_in_.at[i.slot] == here) return {at, i.type, loaded_.at[i.slot]};
        const value_ref v = push(i, at);
        if (i.type == element::boolean) truth_loads_.push({code_.size() - 1, v});
        loaded_in_.at[i.slot] = here;
        loaded_.at[i.slot] = v.index;
        return v;
    }

    /// A load that an index displaces.
    constexpr value_ref gather(int id, level at) {
        const node& n = g.nodes.at[id];
        const int table = n.in[0], axis = structure::gather::axis_of(n);
        instruction i;
        i.what = code_of::gather;
        i.in[0] = value_of(n.in[1], argument_loops(id, 1));
        access from = reading(table, argument_loops(id, 0), axis);
        from.limit = g.nodes.at[table].shape[axis];
        from.gathered = id;
        i.type = s.buffers.at[from.buffer].type;
        i.slot = add_slot(from);
        i.fixed = at == level::element && i.in[0].at != level::element && ((varies(from) >> innermost_) & 1u) != 0;
        const value_ref v = push(i, at);
        remember(id, v);
        return v;
    }

    constexpr value_ref compute(int id, level at) {
        const node& n = g.nodes.at[id];
        if (n.what == tag<structure::gather>) return gather(id, at);
        instruction i;
        i.what = n.what == tag<structure::cast> ? code_of::convert : code_of::apply;
        i.type = n.type;
        i.fn = n.fn;
        const bool member = group_ >= 0 && g.group_of.at[id] == group_;
        for (int k = 0; k < loop_arguments; ++k) {
            const int a = n.in[k];
            if (a < 0) break;
            const int base = g.base_of.at[a];
            if (member && g.group_of.at[base] == group_) {
                if (!recall(base, i.in[k])) i.in[k] = compute(base, static_cast<level>(at_.at[base]));
            } else {
                i.in[k] = value_of(a, member && !g.is_inline.at[a] ? argument_loops(id, k) : no_axes);
            }
        }
        const value_ref v = push(i, at);
        remember(id, v);
        return v;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
