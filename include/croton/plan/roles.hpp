// SPDX-License-Identifier: MIT
// What a step that is no loop does with its slots: loops say it in their instructions.
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
    } else if (s.what == step_kind::routine) {
        for (int i = 0; i < s.slot_count; ++i) f(i, i == s.slot_count - 1);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
