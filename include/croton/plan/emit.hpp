// SPDX-License-Identifier: MIT
// The plan of a program: its steps written out.
#ifndef CROTON_PLAN_EMIT_HPP
#define CROTON_PLAN_EMIT_HPP

#include <croton/plan/epilogue.hpp>
#include <croton/plan/routine_ends.hpp>
#include <croton/plan/loops.hpp>
#include <croton/plan/siblings.hpp>

namespace croton::inline v0_1::detail {

/// Writes all steps: the loops, and besides them products and copies.
template <int Capacity> class emitter : public loop_writer<Capacity> {
public:
    using loop_writer<Capacity>::loop_writer;

    constexpr void run(int leaves) {
        for (int i = 0; i < leaves; ++i) out.contiguous_leaf.push(false);
        for (const buffer_facts& b : s.buffers) out.buffers.push(b);
        out.temporaries = s.temporaries;
        alpha_ = out.buffers.size();
        for (int i = 0; i < 2; ++i) {
            buffer_facts number;
            number.what = buffer_kind::number;
            number.index = i;
            out.buffers.push(number);
        }
        for (int i = 0; i < s.steps.size(); ++i) {
            const pending_step& p = s.steps.at[i];
            if (p.copied_from >= 0) emit_copy(p);
            else if (p.call >= 0 && g.is_product(g.nodes.at[p.call])) emit_product(p.call);
            else if (p.call >= 0 && g.is_call(p.call)) emit_routine(p.call);
            else if (p.call >= 0) emit_loop(p.call);
            else this->emit_group(p.group);
        }
        for (const window& w : this->windows_) out.windows.push(w);
    }

private:
    using writer = value_writer<Capacity>;
    using writer::g, writer::s, writer::out, writer::now_, writer::position_, writer::group_, writer::begin, writer::finish, writer::access_of, writer::reading,
        writer::push, writer::value_of;

    int alpha_ = -1;  // the pseudo buffers of the computed factors of a product: alpha and beta

    constexpr void emit_copy(const pending_step& p) {
        begin();
        now_.what = step_kind::copy;
        now_.node = p.copied_from;
        const node& n = g.nodes.at[p.copied_from];
        now_.type = n.type;
        // The root may show the node through a view that adds or drops axes of extent 1.
        for (int i = 0; i < max_rank; ++i) position_.at[i] = static_cast<std::int8_t>(i);
        axis_map loops = no_axes;
        now_.outer = n.shape.rank;
        for (int i = 0; i < n.shape.rank; ++i) {
            now_.extent[i] = n.shape.extent[i];
            loops.at[i] = static_cast<std::int8_t>(i);
        }
        out.slots.push(access_of(s.places.at[p.copied_from], -1, loops, n.shape.rank));
        out.slots.push(access_of({p.copied_to, p.copied_axis}, -1, loops, n.shape.rank));
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
        now_.extent[0] = n.shape.extent[now_.batch];
        now_.extent[1] = x[x.rank - 1];
        now_.extent[2] = now_.vector ? 1 : n.shape.extent[rank - 1];
        for (int i = 0; i < now_.batch; ++i) now_.extent[matrix_extents + i] = n.shape.extent[i];
        for (int i = 0; i < max_rank; ++i) position_.at[i] = static_cast<std::int8_t>(i);
        const axis_map axes = product_axes(rank);
        out.slots.push(reading(n.in[0], product_axes(x.rank)));
        out.slots.push(reading(n.in[1], product_axes(g.nodes.at[n.in[1]].shape.rank)));
        out.slots.push(access_of(s.places.at[id], -1, axes, rank));
        const int c = n.what == tag<structure::gemm> ? n.in[2] : -1;
        now_.accumulates = c >= 0;
        if (c >= 0) {
            const access from = reading(c, axes);
            const access& to = out.slots[out.slots.size() - 1];
            now_.copies = from.buffer != to.buffer || from.layout != to.layout || from.window != to.window || from.axis != to.axis;
            out.slots.push(from);
        }
        now_.activation = n.fn;
        now_.biased = n.what == tag<structure::gemm> && c < 0 && n.in[4] >= 0;
        if (now_.biased) out.slots.push(reading(n.in[4], g.aligned_axes(2, axes, n.in[4])));
        if (has_epilogue(now_)) {
            (void)factor(n.in[3], -1, now_.alpha);
        } else if (n.what == tag<structure::gemm>) {
            const int alpha = factor_slot(n.in[3], 0), beta = factor_slot(n.in[4], 1);
            now_.alpha_computed = factor(n.in[3], alpha, now_.alpha);
            now_.beta_computed = factor(n.in[4], beta, now_.beta);
        }
        finish();
    }

    constexpr void emit_routine(int id) {
        begin();
        group_ = -1;
        const node& n = g.nodes.at[id];
        const kernel::routine_facts& facts = *g.routines.at[n.fn];
        now_.what = step_kind::routine;
        now_.node = id;
        now_.type = n.type;
        now_.routine = n.fn;
        now_.bits = n.bits;
        now_.outer = n.shape.rank;
        const int axis = kernel::axis_of(n.bits);
        axis_map each = no_axes, rows = no_axes;  // the axes in their own order, and with that of the rows last
        for (int i = 0; i < max_rank; ++i) each.at[i] = static_cast<std::int8_t>(i);
        for (int i = 0; i < n.shape.rank; ++i) {
            rows.at[i] = static_cast<std::int8_t>(i < axis ? i : i == axis ? n.shape.rank - 1 : i - 1);
            now_.extent[rows.at[i]] = n.shape[i];
        }
        for (int k = 0; k < facts.arguments; ++k) {
            const bool whole = ((facts.whole >> k) & 1u) != 0;
            position_ = whole ? each : rows;
            out.slots.push(reading(n.in[k], each));
        }
        if (facts.of_elements) now_.shapes = out.layouts.size();
        for (int k = 0; facts.of_elements && k < facts.arguments; ++k) out.layouts.push(g.nodes.at[n.in[k]].shape);
        now_.length = g.nodes.at[n.in[facts.measured]].shape[((facts.whole >> facts.measured) & 1u) != 0 ? 0 : axis];
        position_ = rows;
        out.slots.push(access_of(s.places.at[id], -1, each, n.shape.rank));
        finish();
    }

    /// A loop reads and writes arrays as they are: what it is given, then its results.
    constexpr void emit_loop(int id) {
        begin();
        group_ = -1;
        const loop_entry& l = g.loops.at[static_cast<int>(g.nodes.at[id].bits)];
        now_.what = step_kind::repeat;
        now_.node = id;
        now_.bits = l.region;
        now_.length = l.turns;
        now_.results = l.parts;
        axis_map each = no_axes;
        for (int i = 0; i < max_rank; ++i) each.at[i] = static_cast<std::int8_t>(i);
        position_ = each;
        for (int i = 0; i < l.arguments(); ++i) out.slots.push(reading(g.loop_nodes.at[l.from + i], each));
        for (int i = 0; i < l.parts; ++i) {
            const int part = g.loop_nodes.at[l.from + l.arguments() + i];
            out.slots.push(access_of(s.places.at[part], -1, each, g.nodes.at[part].shape.rank));
        }
        finish();
    }

    /// Where the axes of an array of this rank stand in a slot of the product: the matrix's rows and columns, or the vector's
    /// elements, and then the batch, whose last axes it has.
    constexpr axis_map product_axes(int rank) const {
        axis_map stands = no_axes;
        const int before = rank < 2 ? 0 : rank - 2;
        for (int i = 0; i < rank; ++i)
            stands.at[i] = static_cast<std::int8_t>(i < before ? 2 + now_.batch - before + i : i - before);
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
    grouping groups((abilities & fuses_loops) != 0, (abilities & joins_spreads) != 0);
    groups.load(p, (abilities & multiplies_narrow) != 0, (abilities & joins_spreads) != 0, (abilities & fuses_loops) != 0);
    if ((abilities & ends_routines) != 0) routine_ends(groups).run();
    groups.assign();
    if ((abilities & fuses_loops) != 0) sibling_fusion(groups).run();
    if ((abilities & takes_epilogues) != 0) epilogue_fusion(groups).run();
    scheduling schedule(groups);
    schedule.run(p);
    emitter<Capacity>(groups, schedule, out).run(p.leaves.size());
    if ((abilities & (joins_loops | closes_with_numbers)) != 0 && out.fits()) {
        // Which loops are alike, and which steps are numbers, shows when they are written out; then those that can stand side by side are moved there.
        vec<int> kernels;
        vec<closing_role> roles;
        if ((abilities & joins_loops) != 0) find_equal_kernels(out, schedule.steps, groups.groups.size(), kernels);
        if ((abilities & closes_with_numbers) != 0) find_closing_roles(out, schedule.steps, groups.groups.size(), roles);
        if (!kernels.empty() || !roles.empty()) {
            scheduling joined(groups, kernels, roles);
            joined.run(p);
            out = plan<Capacity>();
            emitter<Capacity>(groups, joined, out).run(p.leaves.size());
            if (out.fits() && !kernels.empty()) join_loops(out, joined.last_of_unit);
            if (out.fits() && !roles.empty()) close_loops(out);
        }
    }
    for (const operator_facts* f : p.own_operators) out.own_operators.push(f);
    return out;
}

template <class Program, unsigned Abilities, int Capacity> struct tried_plan {
    template <int More> using with_room = tried_plan<Program, Abilities, More>;
    static consteval auto make() { return make_plan<Capacity>(Program::get(), Abilities); }
};

/// The plan of a program for a device, tried with room for its nodes first. Program: a type whose `get` gives it.
template <class Program, unsigned Abilities> struct plan_of {
    static constexpr auto value = exact_plan<tried_plan<Program, Abilities, Program::get().nodes.count + 16>>();
    static constexpr const auto& get() { return value; }
};

}  // namespace croton::inline v0_1::detail

#endif
