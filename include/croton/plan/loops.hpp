// SPDX-License-Identifier: MIT
// A group written out: the order of its loops, their phases, what is computed in each and what is stored.
#ifndef CROTON_PLAN_LOOPS_HPP
#define CROTON_PLAN_LOOPS_HPP

#include <croton/plan/values.hpp>

namespace croton::inline v0_1::detail {

template <int Capacity> class loop_writer : public value_writer<Capacity> {
public:
    constexpr loop_writer(const grouping& groups, const scheduling& schedule, plan<Capacity>& target) : writer(groups, schedule, target) {
        avail_.assign(g.nodes.size(), 0);
        needed_.assign(g.nodes.size(), 0);
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
                    values.push(value_of(g.nodes.at[m].in[0], argument_loops(m, 0)));
                }
            }
            for (int i = 0; i < reduced.size(); ++i) {
                instruction r;
                r.what = code_of::reduce;
                r.type = g.nodes.at[reduced.at[i]].type;
                r.fn = g.nodes.at[reduced.at[i]].fn;
                r.block = 3 + 3 * phase_;
                r.in[0] = values.at[i];
                remember(reduced.at[i], {level::row, r.type, row_count_++});
                code_.push(r);
            }
        }
        const auto at_end = [&](int m) { return is_written(m) && (reduces_here(m) || written_level(m) != level::element); };
        compute_needed(members, at_end);
        for (const int m : members)
            if (at_end(m)) write(m);
        finish();
    }

protected:
    using writer = value_writer<Capacity>;
    using writer::g, writer::s, writer::out, writer::now_, writer::code_, writer::position_, writer::inner_, writer::innermost_, writer::group_, writer::row_count_,
        writer::element_count_, writer::phase_, writer::row_, writer::at_, writer::begin, writer::finish, writer::access_of, writer::add_slot, writer::varies,
        writer::argument_loops, writer::loop_mask, writer::level_for, writer::push, writer::remember, writer::recall, writer::value_of, writer::compute;

private:
    bool rows_ = false;    // the group has values that are complete after a row
    vec<int> avail_;       // by node: the first phase in which the value is known
    vec<int> needed_;      // by node: the last computation that asked for it
    int need_stamp_ = 0;

    constexpr bool reduces_here(int id) const {
        return g.reduces(id) && rows_ && g.group_of.at[id] == group_ && mask_of(id) == g.groups.at[group_].row_axes;
    }
    constexpr unsigned mask_of(int id) const {
        unsigned mask = 0;
        for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
            if (((g.nodes.at[id].bits >> i) & 1) != 0 && g.axes.at[id].at[i] >= 0) mask |= 1u << g.axes.at[id].at[i];
        return mask;
    }

    /// Computes what the effects `wanted` take, arguments first: without recursion, however long the chain.
    template <class Wanted> constexpr void compute_needed(const vec<int>& members, const Wanted& wanted) {
        ++need_stamp_;
        const auto need = [&](int a) {
            if (a >= 0 && g.group_of.at[g.base_of.at[a]] == group_) needed_.at[g.base_of.at[a]] = need_stamp_;
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
            if (((loops.row_axes >> i) & 1u) == 0) position_.at[i] = static_cast<std::int8_t>(at++);
        const int outer = at;
        for (int i = 0; i < n; ++i)
            if ((loops.row_axes >> i) & 1u) position_.at[i] = static_cast<std::int8_t>(at++);
        for (int i = 0; i < n; ++i) now_.extent[position_.at[i]] = loops.extent[i];
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
                if (const int a = g.nodes.at[m].in[k]; a >= 0 && !g.is_inline.at[a] && g.group_of.at[g.base_of.at[a]] != group_ &&
                    !both(loop_mask(g.into(a, argument_loops(m, k)), g.nodes.at[g.base_of.at[a]].shape.rank)))
                    return false;
            if (is_written(m) && !both(written_mask(m))) return false;
        }
        return true;
    }

    /// The loop positions along which the stored value of a member varies.
    constexpr unsigned written_mask(int id) const {
        axis_map kept = g.axes.at[id];
        for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
            if (g.nodes.at[id].shape.extent[i] == 1) kept.at[i] = -1;
        return loop_mask(kept, g.nodes.at[id].shape.rank);
    }

    /// The level of the loop in which a member is written: also along the axes that it accumulates over.
    constexpr level written_level(int id) const {
        unsigned mask = written_mask(id);
        if (g.reduces(id) && !reduces_here(id)) {
            axis_map over = g.axes.at[id];
            for (int i = 0; i < g.nodes.at[id].shape.rank; ++i)
                if (g.nodes.at[g.nodes.at[id].in[0]].shape.extent[i] == 1) over.at[i] = -1;
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
                if (a < 0 || g.is_inline.at[a]) continue;
                const int base = g.base_of.at[a];
                if (g.group_of.at[base] == group_) {
                    avail = larger(avail, avail_.at[base]);
                    const level of = static_cast<level>(at_.at[base]);
                    at = of > at ? of : at;
                } else {
                    const level of = level_for(loop_mask(g.into(a, argument_loops(m, k)), g.nodes.at[base].shape.rank));
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

    /// Stores a member, or accumulates it.
    constexpr void write(int id) {
        const node& n = g.nodes.at[id];
        const bool accumulates = n.what == tag<structure::reduce> && !reduces_here(id);
        const level at = written_level(id);
        instruction i;
        i.what = accumulates ? code_of::accumulate : code_of::store;
        i.type = n.type;
        i.fn = n.fn;
        if (accumulates) i.in[0] = value_of(n.in[0], argument_loops(id, 0));
        // What is stored as half need not be rounded to half first.
        else if (n.what == tag<structure::cast> && is_stored_only(n.type)) i.in[0] = value_of(n.in[0], argument_loops(id, 0));
        else if (!recall(id, i.in[0])) i.in[0] = compute(id, static_cast<level>(at_.at[id]));
        axis_map kept = g.axes.at[id];
        for (int k = 0; k < n.shape.rank; ++k)
            if (n.shape.extent[k] == 1) kept.at[k] = -1;
        const access to = access_of(s.places.at[id], -1, kept, n.shape.rank);
        i.slot = add_slot(to);
        i.fixed = at == level::element && ((varies(to) >> innermost_) & 1u) == 0;
        push(i, at);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
