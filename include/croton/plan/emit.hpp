// SPDX-License-Identifier: MIT
// Writes the steps out: the loops, phases and instructions of a kernel, the operands of a product.
#ifndef CROTON_PLAN_EMIT_HPP
#define CROTON_PLAN_EMIT_HPP

#include <croton/plan/epilogue.hpp>
#include <croton/plan/schedule.hpp>

namespace croton::inline v0_1::detail {

/// Makes the plan of a program.
template <int Capacity> class emitter {
public:
    constexpr emitter(const grouping& groups, const scheduling& schedule, plan<Capacity>& target) : g(groups), s(schedule), out(target) {}

    constexpr void run(int leaves) {
        for (int i = 0; i < leaves; ++i) out.contiguous_leaf.push(false);
        for (const buffer_facts& b : s.buffers) out.buffers.push(b);
        out.temporaries = s.temporaries;
        out.nodes = g.nodes.size();
        alpha_ = out.buffers.size();
        for (int i = 0; i < 2; ++i) {
            buffer_facts number;
            number.what = buffer_kind::number;
            number.index = i;
            out.buffers.push(number);
        }
        const int count = g.nodes.size();
        row_.assign(count, -1);
        uniform_.assign(count, -1);
        element_.assign(count, memo());
        avail_.assign(count, 0);
        at_.assign(count, 0);
        needed_.assign(count, 0);
        for (int i = 0; i < s.steps.size(); ++i) {
            const pending_step& p = s.steps.at[i];
            if (p.copied_from >= 0) emit_copy(p);
            else if (p.product >= 0) emit_product(p.product);
            else emit_group(p.group);
        }
        for (int id = 0; id < count; ++id) out.step_of_node.push(s.step_of.at[id]);
    }

private:
    struct memo {
        int phase = -1;
        int index = -1;
    };

    const grouping& g;
    const scheduling& s;
    plan<Capacity>& out;
    int alpha_ = -1;  // the pseudo buffers of the computed factors of a product: alpha and beta

    // The kernel being written
    step now_;
    vec<instruction> code_;
    axis_map position_{};             // of each loop axis of the group in the order of the loops
    unsigned inner_ = 0;              // loop positions that are inner
    int innermost_ = -1;
    int group_ = -1;
    bool rows_ = false;               // the group has values that are complete after a row
    int row_count_ = 0, uniform_count_ = 0, element_count_ = 0, phase_ = 0;
    vec<memo> element_;               // by node: for which phase it was written last, and where
    vec<int> row_, uniform_, avail_;  // by node: the position, or -1; the first phase in which the value is known
    vec<char> at_;                    // by node: its level
    vec<int> touched_;                // the nodes whose positions were noted for this step
    vec<int> needed_;                 // by node: the last computation that asked for it
    int need_stamp_ = 0;

    // Memory

    constexpr access access_of(int buffer, int layout, const axis_map& loops, const axis_map& buffer_axis, int rank) const {
        access a;
        a.buffer = buffer;
        a.layout = layout;
        for (int i = 0; i < rank; ++i) {
            const int loop = loops[i], axis = buffer_axis[i];
            if (loop >= 0 && axis >= 0) a.axis[position_[loop]] = static_cast<std::int8_t>(axis);
        }
        return a;
    }

    /// How node `a` (an argument whose axes lie on `loops`) is read from memory.
    constexpr access reading(int a, const axis_map& loops) {
        const int base = g.base_of(a);
        const axis_map axes = g.into(a, loops);
        const node& n = g.nodes.at[base];
        if (n.place != placement::layout) return access_of(s.places.at[base].buffer, -1, axes, s.places.at[base].axis, n.shape.rank);
        int source = n.in[0];
        for (source = g.base_of(source); g.is_layout(source);) source = g.base_of(g.nodes.at[source].in[0]);
        axis_map identity = no_axes;
        for (int i = 0; i < n.shape.rank; ++i) identity[i] = static_cast<std::int8_t>(i);
        const int buffer = s.places.at[source].buffer;
        if (s.buffers.at[buffer].what == buffer_kind::leaf) out.contiguous_leaf[s.buffers.at[buffer].index] = true;
        out.layouts.push(n.shape);
        return access_of(buffer, out.layouts.size() - 1, axes, identity, n.shape.rank);
    }

    constexpr int add_slot(const access& a) {
        for (int i = now_.slot_from; i < out.slots.size() && out.slots.fits(); ++i) {
            const access& old = out.slots[i];
            if (old.buffer == a.buffer && old.layout == a.layout && old.axis == a.axis) return i - now_.slot_from;
        }
        out.slots.push(a);
        return out.slots.size() - 1 - now_.slot_from;
    }

    constexpr unsigned varies(const access& a) const {
        unsigned mask = 0;
        for (int i = 0; i < max_rank; ++i)
            if (a.axis[i] >= 0) mask |= 1u << i;
        return mask;
    }

    // Kernels

    constexpr void begin() {
        now_ = step();
        now_.slot_from = out.slots.size();
        now_.instruction_from = out.instructions.size();
        code_.clear();
        row_count_ = uniform_count_ = element_count_ = phase_ = 0;
        for (const int id : touched_) {
            element_.at[id] = memo();
            row_.at[id] = uniform_.at[id] = -1;
        }
        touched_.clear();
    }

    constexpr void finish() {
        // Instructions go out block by block.
        const int blocks = 2 + 3 * now_.phases;
        for (int b = 0; b < blocks; ++b)
            for (const instruction& i : code_)
                if (i.block == b) out.instructions.push(i);
        now_.instruction_count = out.instructions.size() - now_.instruction_from;
        now_.slot_count = out.slots.size() - now_.slot_from;
        out.steps.push(now_);
    }

    constexpr bool reduces_here(int id) const {
        return g.reduces(id) && rows_ && g.group_of.at[id] == group_ && mask_of(id) == g.groups.at[group_].row_axes;
    }
    constexpr unsigned mask_of(int id) const {
        unsigned mask = 0;
        for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
            if (((g.nodes.at[id].bits >> i) & 1) != 0 && g.axes.at[id][i] >= 0) mask |= 1u << g.axes.at[id][i];
        return mask;
    }

    constexpr axis_map argument_loops(int id, int a) const {
        const node& n = g.nodes.at[id];
        return g.argument_axes(n.what == tag<structure::reduce> ? g.nodes.at[n.in[0]].shape.rank : n.shape.rank, g.axes.at[id], a);
    }

    constexpr void emit_group(int group) {
        begin();
        group_ = group;
        const loop_group& loops = g.groups.at[group];
        rows_ = loops.row_axes != 0;
        now_.node = loops.last;
        order_loops(loops);
        levels(loops);

        int phases = 0;
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            if (reduces_here(m)) phases = larger(phases, avail_.at[m]);
            else if (is_written(m) && written_level(m) == level::element) phases = larger(phases, avail_.at[m] + 1);
        }
        now_.phases = phases;
        vec<int> members, reduced;
        for (int m = loops.first; m >= 0; m = g.next.at[m]) members.push(m);
        vec<value_ref> values;
        for (phase_ = 0; phase_ < phases; ++phase_) {
            element_count_ = 0;
            const auto in_phase = [&](int m) {
                if (reduces_here(m)) return avail_.at[m] == phase_ + 1;
                return is_written(m) && written_level(m) == level::element && write_phase(m, phases) == phase_;
            };
            compute_needed(members, in_phase);
            reduced.clear();
            values.clear();
            for (const int m : members) {
                if (!in_phase(m)) continue;
                if (!reduces_here(m)) {
                    write(m);
                } else {
                    reduced.push(m);
                    values.push(value_of(g.nodes.at[m].in[0], argument_loops(m, g.nodes.at[m].in[0])));
                }
            }
            for (int i = 0; i < reduced.size(); ++i) {
                instruction r;
                r.what = code_of::reduce;
                r.type = g.nodes.at[reduced[i]].type;
                r.fn = g.nodes.at[reduced[i]].fn;
                r.block = 3 + 3 * phase_;
                r.in[0] = values[i];
                remember(reduced[i], {level::row, r.type, row_count_++});
                code_.push(r);
            }
        }
        const auto at_end = [&](int m) { return is_written(m) && (reduces_here(m) || written_level(m) != level::element); };
        compute_needed(members, at_end);
        for (const int m : members)
            if (at_end(m)) write(m);
        finish();
    }

    /// Computes what the effects `wanted` take, arguments first: without recursion, however long the chain.
    template <class Wanted> constexpr void compute_needed(const vec<int>& members, const Wanted& wanted) {
        ++need_stamp_;
        const auto need = [&](int a) {
            if (a >= 0 && g.group_of.at[g.base_of(a)] == group_) needed_.at[g.base_of(a)] = need_stamp_;
        };
        for (int i = members.size() - 1; i >= 0; --i) {
            const int m = members.at[i];
            const bool reduces = g.reduces(m);
            const bool rounds = g.nodes.at[m].what == tag<structure::cast> && is_stored_only(g.nodes.at[m].type);
            if (wanted(m)) {
                if ((reduces && !(reduces_here(m) && row_.at[m] >= 0)) || rounds) need(g.nodes.at[m].in[0]);
                else needed_.at[m] = need_stamp_;
            }
            value_ref known;
            if (needed_.at[m] != need_stamp_ || reduces || recall(m, known)) continue;
            for (const int a : g.nodes.at[m].in) need(a);
        }
        for (const int m : members) {
            value_ref known;
            if (needed_.at[m] == need_stamp_ && !g.reduces(m) && !recall(m, known)) compute(m, static_cast<level>(at_.at[m]));
        }
    }

    static constexpr int larger(int a, int b) { return a > b ? a : b; }

    constexpr bool is_written(int id) const { return s.is_stored(id); }

    /// An update in place is written in the last phase, when nothing reads the old value any more.
    constexpr int write_phase(int id, int phases) const {
        const bool in_place = s.buffers.at[s.places.at[id].buffer].what == buffer_kind::leaf;
        return in_place ? phases - 1 : avail_.at[id];
    }

    /// Outer loops first. Inner are the axes that rows are reduced over; without rows the last axis and those before it that
    /// everything in memory treats alike, so that they run as one.
    constexpr void order_loops(const loop_group& loops) {
        const int n = loops.axes;
        int at = 0;
        position_ = no_axes;
        for (int i = 0; i < n; ++i)
            if (((loops.row_axes >> i) & 1u) == 0) position_[i] = static_cast<std::int8_t>(at++);
        const int outer = at;
        for (int i = 0; i < n; ++i)
            if ((loops.row_axes >> i) & 1u) position_[i] = static_cast<std::int8_t>(at++);
        for (int i = 0; i < n; ++i) now_.extent[position_[i]] = loops.extent[i];
        now_.outer = outer;
        if (loops.row_axes == 0 && n > 0) {
            now_.outer = n - 1;
            while (now_.outer > 0 && alike(loops, now_.outer - 1)) --now_.outer;
            // Sums over columns stay in registers for many rows where the rows are inner too.
            for (int m = loops.first; m >= 0; m = g.next.at[m])
                if (g.reduces(m) && ((written_mask(m) >> (n - 1)) & 1u) != 0) now_.outer = 0;
        }
        now_.inner = n - now_.outer;
        innermost_ = n - 1;
        inner_ = 0;
        for (int i = now_.outer; i < n; ++i) inner_ |= 1u << i;
    }

    /// Whether every read and write depends on the loop at `position` just as on the innermost one.
    constexpr bool alike(const loop_group& loops, int position) const {
        const auto both = [&](unsigned mask) { return ((mask >> position) & 1u) == ((mask >> (loops.axes - 1)) & 1u); };
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            for (int k = 0; k < max_arguments; ++k)
                if (const int a = g.nodes.at[m].in[k]; a >= 0 && !g.is_inline(a) && g.group_of.at[g.base_of(a)] != group_ &&
                    !both(loop_mask(g.into(a, argument_loops(m, a)), g.nodes.at[g.base_of(a)].shape.rank)))
                    return false;
            if (is_written(m) && !both(written_mask(m))) return false;
        }
        return true;
    }

    constexpr unsigned loop_mask(const axis_map& loops, int rank) const {
        unsigned mask = 0;
        for (int i = 0; i < rank; ++i)
            if (loops[i] >= 0) mask |= 1u << position_[loops[i]];
        return mask;
    }

    /// The loop positions along which the stored value of a member varies.
    constexpr unsigned written_mask(int id) const {
        axis_map kept = g.axes.at[id];
        for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
            if (g.nodes.at[id].shape[i] == 1) kept[i] = -1;
        return loop_mask(kept, g.nodes.at[id].shape.rank);
    }

    /// The level a value that varies along these loop positions is computed at.
    constexpr level level_for(unsigned mask) const {
        return (mask & inner_) != 0 ? level::element : mask != 0 ? level::row : level::uniform;
    }

    /// The level of the loop in which a member is written: also along the axes that it accumulates over.
    constexpr level written_level(int id) const {
        unsigned mask = written_mask(id);
        if (g.reduces(id) && !reduces_here(id)) {
            axis_map over = g.axes.at[id];
            for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
                if (g.nodes.at[g.nodes.at[id].in[0]].shape[i] == 1) over[i] = -1;
            mask |= loop_mask(over, g.nodes.at[id].shape.rank);
        }
        const level by_place = level_for(mask);
        const level by_value = reduces_here(id) ? level::row : static_cast<level>(at_.at[id]);
        return by_value > by_place ? by_value : by_place;
    }

    /// For every member: its level, and the first phase in which it is known.
    constexpr void levels(const loop_group& loops) {
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            level at = level::uniform;
            int avail = 0;
            for (int k = 0; k < max_arguments; ++k) {
                const int a = g.nodes.at[m].in[k];
                if (a < 0 || g.is_inline(a)) continue;
                const int base = g.base_of(a);
                if (g.group_of.at[base] == group_) {
                    avail = larger(avail, avail_.at[base]);
                    const level of = static_cast<level>(at_.at[base]);
                    at = of > at ? of : at;
                } else {
                    const level of = level_for(loop_mask(g.into(a, argument_loops(m, a)), g.nodes.at[base].shape.rank));
                    at = of > at ? of : at;
                }
            }
            if (reduces_here(m)) {
                at = level::row;
                ++avail;
            }
            at_.at[m] = static_cast<char>(at);
            avail_.at[m] = avail;
        }
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
        touched_.push(id);
        if (v.at == level::uniform) uniform_.at[id] = v.index;
        else if (v.at == level::row) row_.at[id] = v.index;
        else element_.at[id] = {phase_, v.index};
    }
    constexpr bool recall(int id, value_ref& v) const {
        const element type = g.nodes.at[id].type;
        if (uniform_.at[id] >= 0) v = {level::uniform, type, uniform_.at[id]};
        else if (row_.at[id] >= 0) v = {level::row, type, row_.at[id]};
        else if (element_.at[id].phase == phase_ && element_.at[id].index >= 0) v = {level::element, type, element_.at[id].index};
        else return false;
        return true;
    }

    /// The value of argument `a`, whose axes lie on `loops`, in the block where its level is computed.
    constexpr value_ref value_of(int a, const axis_map& loops) {
        const int base = g.base_of(a);
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
        const axis_map axes = g.into(a, loops);
        if (n.what == tag<structure::arange>) {
            // The index along the loop axis; the same arange may run along several.
            instruction i;
            i.what = code_of::arange;
            i.type = n.type;
            i.slot = axes[0] < 0 ? 0 : position_[axes[0]];
            if (axes[0] < 0) return literal_value(n.type, 0);
            return push(i, level_for(1u << i.slot));
        }
        if (g.is_inline(a) && n.what == tag<structure::apply>) {
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
        // The same slot at the same level is read once in each block.
        const int block = block_of(at);
        int index = 0;
        for (const instruction& old : code_) {
            if (at == level::row ? !is_row_block(old.block) : old.block != block) continue;
            if (old.what == code_of::load && old.slot == i.slot) return {at, i.type, index};
            ++index;
        }
        return push(i, at);
    }
    static constexpr bool is_row_block(int block) { return block == 1 || (block >= 3 && block % 3 != 2); }

    constexpr value_ref compute(int id, level at) {
        const node& n = g.nodes.at[id];
        instruction i;
        i.what = n.what == tag<structure::cast> ? code_of::convert : code_of::apply;
        i.type = n.type;
        i.fn = n.fn;
        for (unsigned k = 0; k < 3; ++k)
            if (n.in[k] >= 0) i.in[k] = value_of(n.in[k], g.group_of.at[id] == group_ && group_ >= 0 ? argument_loops(id, n.in[k]) : no_axes);
        const value_ref v = push(i, at);
        remember(id, v);
        return v;
    }

    /// Stores a member, or accumulates it.
    constexpr void write(int id) {
        const node& n = g.nodes.at[id];
        const bool accumulates = n.what == tag<structure::reduce> && !reduces_here(id);
        const level at = written_level(id);
        instruction i;
        i.what = accumulates ? code_of::accumulate : code_of::store;
        i.type = n.type;
        i.fn = n.fn;
        if (accumulates) i.in[0] = value_of(n.in[0], argument_loops(id, n.in[0]));
        // What is stored as half need not be rounded to half first.
        else if (n.what == tag<structure::cast> && is_stored_only(n.type)) i.in[0] = value_of(n.in[0], argument_loops(id, n.in[0]));
        else if (!recall(id, i.in[0])) i.in[0] = compute(id, static_cast<level>(at_.at[id]));
        axis_map kept = g.axes.at[id];
        for (int k = 0; k < n.shape.rank; ++k)
            if (n.shape[k] == 1) kept[k] = -1;
        const access to = access_of(s.places.at[id].buffer, -1, kept, s.places.at[id].axis, n.shape.rank);
        i.slot = add_slot(to);
        i.fixed = at == level::element && ((varies(to) >> innermost_) & 1u) == 0;
        push(i, at);
    }

    // Products and copies

    constexpr void emit_copy(const pending_step& p) {
        begin();
        now_.what = step_kind::copy;
        now_.node = p.copied_from;
        const node& n = g.nodes.at[p.copied_from];
        now_.type = n.type;
        // The root may show the node through a view that adds or drops axes of extent 1.
        for (int i = 0; i < max_rank; ++i) position_[i] = static_cast<std::int8_t>(i);
        axis_map loops = no_axes;
        now_.outer = n.shape.rank;
        for (int i = 0; i < n.shape.rank; ++i) {
            now_.extent[i] = n.shape[i];
            loops[i] = static_cast<std::int8_t>(i);
        }
        out.slots.push(access_of(s.places.at[p.copied_from].buffer, -1, loops, s.places.at[p.copied_from].axis, n.shape.rank));
        out.slots.push(access_of(p.copied_to, -1, loops, p.copied_axis, n.shape.rank));
        finish();
    }

    constexpr void emit_product(int id) {
        begin();
        group_ = -1;
        const node& n = g.nodes.at[id];
        now_.what = step_kind::product;
        now_.node = id;
        now_.type = n.type;
        const shape& x = g.nodes.at[n.in[0]].shape;
        const int rank = n.shape.rank;
        now_.vector = rank == 1;
        now_.batch = static_cast<std::uint8_t>(rank > 2 ? rank - 2 : 0);
        now_.extent[0] = n.shape[now_.batch];
        now_.extent[1] = x[x.rank - 1];
        now_.extent[2] = now_.vector ? 1 : n.shape[rank - 1];
        for (int i = 0; i < now_.batch; ++i) now_.extent[matrix_extents + i] = n.shape[i];
        for (int i = 0; i < max_rank; ++i) position_[i] = static_cast<std::int8_t>(i);
        const axis_map axes = product_axes(rank);
        out.slots.push(reading(n.in[0], product_axes(x.rank)));
        out.slots.push(reading(n.in[1], product_axes(g.nodes.at[n.in[1]].shape.rank)));
        out.slots.push(access_of(s.places.at[id].buffer, -1, axes, s.places.at[id].axis, rank));
        const int c = n.what == tag<structure::gemm> ? n.in[2] : -1;
        now_.accumulates = c >= 0;
        if (c >= 0) {
            const access from = reading(c, axes);
            const access& to = out.slots[out.slots.size() - 1];
            now_.copies = from.buffer != to.buffer || from.layout != to.layout || from.axis != to.axis;
            out.slots.push(from);
        }
        now_.epilogue = n.fn;
        if ((n.fn & epilogue_bias) != 0) out.slots.push(reading(n.in[4], g.argument_axes(2, axes, n.in[4])));
        if (n.fn != 0) {
            (void)factor(n.in[3], -1, now_.alpha);
        } else if (n.what == tag<structure::gemm>) {
            const int alpha = factor_slot(n.in[3], 0), beta = factor_slot(n.in[4], 1);
            now_.alpha_computed = factor(n.in[3], alpha, now_.alpha);
            now_.beta_computed = factor(n.in[4], beta, now_.beta);
        }
        finish();
    }

    /// Where the axes of an array of this rank stand in a slot of the product: the matrix's rows and columns, or the vector's
    /// elements, and then the batch, whose last axes it has.
    constexpr axis_map product_axes(int rank) const {
        axis_map stands = no_axes;
        const int before = rank < 2 ? 0 : rank - 2;
        for (int i = 0; i < rank; ++i)
            stands[i] = static_cast<std::int8_t>(i < before ? 2 + now_.batch - before + i : i - before);
        return stands;
    }

    constexpr bool is_computed(int id) const { return id >= 0 && g.nodes.at[id].what != tag<structure::literal>; }

    /// The slot of a factor that is computed, before those that its computation reads.
    constexpr int factor_slot(int id, int which) {
        if (!is_computed(id)) return -1;
        access a;
        a.buffer = alpha_ + which;
        out.slots.push(a);
        return out.slots.size() - 1 - now_.slot_from;
    }

    /// A factor of a product: a number, or the program that computes it just before.
    constexpr bool factor(int id, int slot, double& value) {
        if (id >= 0 && !is_computed(id)) value = std::bit_cast<double>(g.nodes.at[id].bits);
        if (slot < 0) return false;
        instruction i;
        i.what = code_of::store;
        i.type = g.nodes.at[id].type;
        i.in[0] = value_of(id, no_axes);
        i.slot = slot;
        push(i, level::uniform);
        return true;
    }
};

/// `abilities`: of the device, as bits.
template <int Capacity, class Program> constexpr plan<Capacity> make_plan(const Program& p, unsigned abilities) {
    plan<Capacity> out;
    grouping groups;
    groups.load(p, (abilities & fuses_loops) != 0, (abilities & multiplies_narrow) != 0);
    groups.assign();
    if ((abilities & takes_epilogues) != 0) epilogue_fusion(groups).run();
    scheduling schedule(groups);
    schedule.run(p);
    emitter<Capacity>(groups, schedule, out).run(p.leaves.size());
    if ((abilities & joins_loops) != 0 && out.fits()) {
        // Which loops are alike shows when they are written out; then those that can stand side by side are moved there.
        vec<int> kernels;
        find_equal_kernels(out, schedule.steps, groups.groups.size(), kernels);
        if (!kernels.empty()) {
            scheduling joined(groups, kernels);
            joined.run(p);
            out = plan<Capacity>();
            emitter<Capacity>(groups, joined, out).run(p.leaves.size());
            if (out.fits()) join_loops(out, joined.last_of_unit);
        }
    }
    for (const operator_facts* f : p.own_operators) out.own_operators.push(f);
    return out;
}

/// The plan of a lambda for a device, tried with room for its nodes first.
template <class F, bool Rewrites, unsigned Abilities, int Capacity = program_of<F, Rewrites>::get().nodes.count + 16> struct plan_of {
    static constexpr plan<Capacity> candidate = make_plan<Capacity>(program_of<F, Rewrites>::get(), Abilities);

    static constexpr const auto& get() {
        if constexpr (candidate.fits()) return exact_plan<plan_of>::value;
        else return plan_of<F, Rewrites, Abilities, candidate.needed()>::get();
    }
};

}  // namespace croton::inline v0_1::detail

#endif
