// SPDX-License-Identifier: MIT
// A group written out: the order of its loops, their phases, what is computed in each and what is stored.
#ifndef CROTON_PLAN_LOOPS_HPP
#define CROTON_PLAN_LOOPS_HPP

#include <croton/plan/values.hpp>

namespace croton::inline v0_1::detail {

template <int Capacity> class loop_writer : public value_writer<Capacity> {
public:
    constexpr loop_writer(const grouping& groups, const scheduling& schedule, plan<Capacity>& target) : writer(groups, schedule, target) {
        avail_.resize_unset(g.nodes.size());
        needed_.assign(g.nodes.size(), 0);
        here_.resize_unset(g.nodes.size());
        stored_.resize_unset(g.nodes.size());
        written_.resize_unset(g.nodes.size());
        effect_.resize_unset(g.nodes.size());
        ends_.resize_unset(g.nodes.size());
    }

    constexpr void emit_group(int group) {
        begin();
        group_ = group;
        const loop_group& loops = g.groups.at[group];
        rows_ = loops.row_axes != 0;
        now_.node = loops.last;
        order_loops(loops);
        levels(loops);

        members_.resize_unset(loops.size);
        int phases = 0, member = 0;
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            members_.at[member++] = m;
            if (here_.at[m]) phases = larger(phases, avail_.at[m]);
            else if (written_.at[m] == static_cast<signed char>(level::element)) phases = larger(phases, avail_.at[m] + 1);
        }
        now_.phases = phases;
        for (const int m : members_) {
            const bool here = here_.at[m], streams = written_.at[m] == static_cast<signed char>(level::element);
            effect_.at[m] = here ? avail_.at[m] - 1 : streams ? write_phase(m, phases) : none;
            ends_.at[m] = written_.at[m] >= 0 && (here || !streams);
        }
        vec<int> reduced;
        vec<value_ref> values;
        for (phase_ = 0; phase_ < phases; ++phase_) {
            element_count_ = 0;
            compute_needed(phase_);
            reduced.clear();
            values.clear();
            for (const int m : members_) {
                if (effect_.at[m] != phase_) continue;
                if (!here_.at[m]) {
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
        compute_needed(none);
        for (const int m : members_)
            if (ends_.at[m]) write(m);
        finish();
    }

protected:
    using writer = value_writer<Capacity>;
    using writer::g, writer::s, writer::out, writer::now_, writer::code_, writer::position_, writer::inner_, writer::innermost_, writer::group_, writer::row_count_,
        writer::element_count_, writer::phase_, writer::first_, writer::row_, writer::at_, writer::begin, writer::finish, writer::access_of, writer::add_slot, writer::varies,
        writer::argument_loops, writer::loop_mask, writer::level_for, writer::push, writer::remember, writer::recall, writer::value_of, writer::compute;

private:
    static constexpr int none = -1;

    bool rows_ = false;    // the group has values that are complete after a row
    vec<int> members_;     // of the group
    vec<unsigned> reads_;  // of the group's arguments from elsewhere, in order: the loop positions along which each varies
    vec<int> avail_;       // by node: the first phase in which the value is known
    vec<int> needed_;      // by node: the last computation that asked for it
    int need_stamp_ = 0;

    // By member
    vec<bool> here_;        // it is reduced over the rows of the group
    vec<unsigned> stored_;  // the loop positions along which its stored value varies
    vec<signed char> written_;  // the level of the loop in which it is written, or -1
    vec<int> effect_;       // the phase in which it is reduced or written, or `none`
    vec<bool> ends_;        // it is written when the phases are over

    constexpr bool reduces_here(int id) const { return rows_ && g.nodes.at[id].what == tag<structure::reduce> && mask_of(id) == g.groups.at[group_].row_axes; }
    constexpr unsigned mask_of(int id) const {
        const node& n = g.nodes.at[id];
        unsigned mask = 0;
        for (int i = 0; i < n.shape.rank; ++i)
            if (((n.bits >> i) & 1) != 0 && g.axes.at[id].at[i] >= 0) mask |= 1u << g.axes.at[id].at[i];
        return mask;
    }

    /// Computes what the effects of a phase take, or with `none` what is written at the end, arguments first: without recursion,
    /// however long the chain.
    constexpr void compute_needed(int phase) {
        const int stamp = ++need_stamp_;
        value_ref known;
        for (int i = members_.size() - 1; i >= 0; --i) {
            const int m = members_.at[i];
            const node& n = g.nodes.at[m];
            const bool reduces = n.what == tag<structure::reduce>;
            if (phase == none ? ends_.at[m] : effect_.at[m] == phase) {
                const bool rounds = n.what == tag<structure::cast> && is_stored_only(n.type);
                if ((reduces && !(here_.at[m] && row_.at[m] >= first_)) || rounds) need(n.in[0]);
                else needed_.at[m] = stamp;
            }
            if (needed_.at[m] != stamp || reduces || recall(m, known)) continue;
            for (int k = 0; k < loop_arguments; ++k) {
                if (n.in[k] < 0) break;
                need(n.in[k]);
            }
        }
        for (const int m : members_)
            if (needed_.at[m] == stamp && g.nodes.at[m].what != tag<structure::reduce> && !recall(m, known)) compute(m, static_cast<level>(at_.at[m]));
    }
    constexpr void need(int a) {
        const int base = g.base_of.at[a];
        if (g.group_of.at[base] == group_) needed_.at[base] = need_stamp_;
    }

    static constexpr int larger(int a, int b) { return a > b ? a : b; }

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
        list_masks(loops);
        now_.outer = outer;
        if (loops.row_axes == 0 && n > 0) {
            now_.outer = n - 1;
            const unsigned same = n > 1 ? alike(loops) : 0u;
            while (now_.outer > 0 && ((same >> (now_.outer - 1)) & 1u) != 0) --now_.outer;
            // Sums over columns stay in registers for many rows where the rows are inner too, and nothing ends with a row.
            bool down = false, along = false;
            for (int m = loops.first; m >= 0; m = g.next.at[m]) {
                if (g.nodes.at[m].what != tag<structure::reduce>) continue;
                const bool of_columns = ((stored_.at[m] >> (n - 1)) & 1u) != 0;
                down |= of_columns;
                along |= !of_columns && stored_.at[m] != 0;
            }
            if (down) now_.outer = along ? n - 1 : 0;
        }
        now_.inner = n - now_.outer;
        innermost_ = n - 1;
        inner_ = 0;
        for (int i = now_.outer; i < n; ++i) inner_ |= 1u << i;
    }

    /// Notes the loop positions along which every read and write varies.
    constexpr void list_masks(const loop_group& loops) {
        reads_.clear();
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            const node& n = g.nodes.at[m];
            for (int k = 0; k < loop_arguments; ++k) {
                const int a = n.in[k];
                if (a < 0) break;
                const int base = g.base_of.at[a];
                if (g.group_of.at[base] == group_ || g.is_inline.at[a]) continue;
                reads_.push(loop_mask(g.argument_base_axes(m, k, g.axes.at[m]), g.nodes.at[base].shape.rank));
            }
            if (n.what == tag<structure::reduce> || s.is_stored(m)) stored_.at[m] = written_mask(m);
        }
    }

    /// The positions of the loops on which every read and write depends just as on the innermost one: those beside it are right.
    constexpr unsigned alike(const loop_group& loops) const {
        const int last = loops.axes - 1;
        unsigned same = ~0u;
        for (const unsigned mask : reads_) {
            same &= ((mask >> last) & 1u) != 0 ? mask : ~mask;
            if (((same >> (last - 1)) & 1u) == 0) return 0;
        }
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            if (!s.is_stored(m)) continue;
            const unsigned mask = stored_.at[m];
            same &= ((mask >> last) & 1u) != 0 ? mask : ~mask;
        }
        return same;
    }

    /// The loop positions along which the stored value of a member varies.
    constexpr unsigned written_mask(int id) const {
        const shape& of = g.nodes.at[id].shape;
        unsigned mask = 0;
        for (int i = 0; i < of.rank; ++i)
            if (const int loop = g.axes.at[id].at[i]; loop >= 0 && of.extent[i] != 1) mask |= 1u << position_.at[loop];
        return mask;
    }

    /// The level of the loop in which a member is written: also along the axes that it accumulates over.
    constexpr level written_level(int id) const {
        const node& n = g.nodes.at[id];
        const bool here = here_.at[id];
        unsigned mask = stored_.at[id];
        if (n.what == tag<structure::reduce> && !here) {
            axis_map over = g.axes.at[id];
            for (int i = 0; i < n.shape.rank; ++i)
                if (g.nodes.at[n.in[0]].shape.extent[i] == 1) over.at[i] = -1;
            mask |= loop_mask(over, n.shape.rank);
        }
        const level by_place = level_for(mask);
        const level by_value = here ? level::row : static_cast<level>(at_.at[id]);
        return by_value > by_place ? by_value : by_place;
    }

    /// For every member: its level, the first phase in which it is known, and where it is written.
    constexpr void levels(const loop_group& loops) {
        int read = 0;
        for (int m = loops.first; m >= 0; m = g.next.at[m]) {
            const node& n = g.nodes.at[m];
            level at = level::uniform;
            int avail = 0;
            for (int k = 0; k < loop_arguments; ++k) {
                const int a = n.in[k];
                if (a < 0) break;
                const int base = g.base_of.at[a];
                level of = level::uniform;
                if (g.group_of.at[base] == group_) {
                    avail = larger(avail, avail_.at[base]);
                    of = static_cast<level>(at_.at[base]);
                } else if (!g.is_inline.at[a]) {
                    of = level_for(reads_.at[read++]);
                }
                if (of > at) at = of;
            }
            const bool here = reduces_here(m);
            if (here) {
                at = level::row;
                ++avail;
            }
            here_.at[m] = here;
            at_.at[m] = static_cast<signed char>(at);
            avail_.at[m] = avail;
            written_.at[m] = s.is_stored(m) ? static_cast<signed char>(written_level(m)) : static_cast<signed char>(-1);
        }
    }

    /// Stores a member, or accumulates it.
    constexpr void write(int id) {
        const node& n = g.nodes.at[id];
        const bool accumulates = n.what == tag<structure::reduce> && !here_.at[id];
        const level at = static_cast<level>(written_.at[id]);
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
