// SPDX-License-Identifier: MIT
// What a step does with its slots: loops say it in their instructions.
#ifndef CROTON_PLAN_ROLES_HPP
#define CROTON_PLAN_ROLES_HPP

#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// Calls f(slot, writes) for each slot of a copy, a product or a routine; a product's factors are its instructions'.
template <class F> constexpr void each_role(const plan_view& p, int index, F&& f) {
    const step& s = p.steps[index];
    if (s.what == step_kind::copy) {
        f(0, false);
        f(1, true);
    } else if (s.what == step_kind::product) {
        f(0, false);
        f(1, false);
        if (s.accumulates || s.biased) f(3, false);
        f(2, true);
    } else if (s.what == step_kind::routine || s.what == step_kind::repeat) {
        for (int i = 0; i < s.slot_count; ++i) f(i, i >= s.slot_count - s.results);
    }
}

/// Calls f(slot, writes) for each slot of any step, those of its instructions first, as often as they stand there.
template <class F> constexpr void each_use(const plan_view& p, int index, F&& f) {
    const step& s = p.steps[index];
    for (int i = s.instruction_from; i < s.instruction_from + s.instruction_count; ++i) {
        const instruction& each = p.instructions[i];
        if (each.what == code_of::load || each.what == code_of::gather) f(each.slot, false);
        if (each.what == code_of::store || each.what == code_of::accumulate) f(each.slot, true);
    }
    each_role(p, index, f);
}

/// Whether a loop may run a part of the iterations along one of its axes at a time: none of them needs what another has computed, or, where it may have `sums` along them, more of
/// it than a sum of floating numbers.
constexpr bool runs_in_parts(const plan_view& p, int index, int axis, bool sums) {
    const step& s = p.steps[index];
    for (int k = s.instruction_from; k < s.instruction_from + s.instruction_count; ++k) {
        const instruction& each = p.instructions[k];
        const bool moves = each.slot >= 0 && each.what != code_of::arange && each.what != code_of::size && p.slot(index, each.slot).axis.at[axis] >= 0;
        if ((each.what == code_of::arange && each.slot == axis) || (each.what == code_of::reduce && axis >= s.outer) || (each.what == code_of::store && !moves)) return false;
        if (each.what == code_of::accumulate && !moves && (!sums || each.fn != reduction_code<reduction::sum> || (each.type != element::float32 && each.type != element::float64)))
            return false;
    }
    return true;
}

}  // namespace croton::inline v0_1::detail

#endif
