// SPDX-License-Identifier: MIT
// Which steps write memory that the call has brought: what only reads that has to be through by then.
#ifndef CROTON_PLAN_EFFECTS_HPP
#define CROTON_PLAN_EFFECTS_HPP

#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// Whether step `s` writes an argument or a result, which may lie where an argument does. A routine or a loop that touches one counts as if.
template <class Plan> constexpr bool has_effect(const Plan& p, int s) {
    const step& t = p.steps[s];
    const auto brought = [&](int slot) {
        const buffer_kind what = p.buffers[p.slots[t.slot_from + slot].buffer].what;
        return what == buffer_kind::leaf || what == buffer_kind::output;
    };
    switch (t.what) {
    case step_kind::product: return brought(2);
    case step_kind::copy: return brought(1);
    case step_kind::kernel:
        for (int i = t.instruction_from; i < t.instruction_from + t.instruction_count; ++i)
            if (const instruction& each = p.instructions[i]; (each.what == code_of::store || each.what == code_of::accumulate) && brought(each.slot)) return true;
        return false;
    default:
        for (int k = 0; k < t.slot_count; ++k)
            if (brought(k)) return true;
        return false;
    }
}

/// The first step of the first launch that has an effect; the number of steps where none has.
template <class Plan> constexpr int first_effect(const Plan& p) {
    int launch = 0;
    for (int s = 0; s < p.steps.size(); ++s) {
        if (p.steps[s].together != 0) launch = s;
        if (has_effect(p, s)) return launch;
    }
    return p.steps.size();
}

}  // namespace croton::inline v0_1::detail

#endif
