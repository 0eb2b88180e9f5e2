// SPDX-License-Identifier: MIT
// Single numbers behind a loop with sums: its launch computes them when the loop has ended, and they are none of their own.
#ifndef CROTON_PLAN_CLOSING_HPP
#define CROTON_PLAN_CLOSING_HPP

#include <croton/core/vec.hpp>
#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// What a step may be to such a launch.
enum class closing_role : std::uint8_t { none, loop, numbers };

/// Of step `s`: a loop with sums, numbers and nothing else, or neither.
template <class Plan> constexpr closing_role closing_role_of(const Plan& p, int s) {
    const step& t = p.steps[s];
    if (t.what != step_kind::kernel) return closing_role::none;
    bool numbers = t.outer == 0 && t.phases == 0;
    for (int i = t.instruction_from; i < t.instruction_from + t.instruction_count; ++i) {
        const instruction& each = p.instructions[i];
        if (each.what == code_of::accumulate) return closing_role::loop;
        numbers = numbers && each.block == 0 && each.what != code_of::gather;
    }
    return numbers ? closing_role::numbers : closing_role::none;
}

/// Fills `role`, by group; leaves it empty where there are not both.
template <class Plan, class Steps> constexpr void find_closing_roles(const Plan& p, const Steps& steps, int groups, vec<closing_role>& role) {
    bool loops = false, numbers = false;
    for (int s = 0; s < p.steps.size(); ++s) {
        const closing_role mine = closing_role_of(p, s);
        loops = loops || mine == closing_role::loop;
        numbers = numbers || mine == closing_role::numbers;
    }
    if (!loops || !numbers) return;
    role.assign(groups, closing_role::none);
    for (int s = 0; s < p.steps.size(); ++s)
        if (steps[s].group >= 0) role[steps[s].group] = closing_role_of(p, s);
}

/// Brings numbers behind the first loop with sums that they can follow: nothing that they wait for stands behind it, and nothing that waits for them before.
/// `role`, by step; an edge leads from a step to one that waits for it.
constexpr void move_behind_loops(const vec<closing_role>& role, const vec<int>& from, const vec<int>& to, vec<int>& sequence) {
    const int count = sequence.size();
    vec<int> position(role.size(), 0), numbers;
    for (const int s : sequence)
        if (role[s] == closing_role::numbers) numbers.push(s);
    for (const int s : numbers) {
        for (int i = 0; i < count; ++i) position[sequence[i]] = i;
        int last_before = -1, first_behind = count;
        for (int e = 0, edges = from.size(); e < edges; ++e) {
            if (to[e] == s && position[from[e]] > last_before) last_before = position[from[e]];
            if (from[e] == s && position[to[e]] < first_behind) first_behind = position[to[e]];
        }
        const int mine = position[s];
        for (int loop = 0; loop < first_behind; ++loop) {
            if (role[sequence[loop]] != closing_role::loop) continue;
            int end = loop + 1;  // of the loop and the numbers that follow it
            while (end < count && end != mine && role[sequence[end]] == closing_role::numbers) ++end;
            if (end == mine) break;  // there it is
            if (last_before >= end || end > first_behind) continue;
            const int step = mine < end ? 1 : -1, target = mine < end ? end - 1 : end;
            for (int i = mine; i != target; i += step) sequence[i] = sequence[i + step];
            sequence[target] = s;
            break;
        }
    }
}

/// Makes one launch of each loop with sums and the numbers behind it.
template <class Plan> constexpr void close_loops(Plan& p) {
    constexpr int most_slots = 32;  // of the numbers: arguments of a launch are few
    for (int s = 0; s < p.steps.size(); ++s) {
        if (closing_role_of(p, s) != closing_role::loop) continue;
        int behind = 0, slots = 0;
        while (s + behind + 1 < p.steps.size() && closing_role_of(p, s + behind + 1) == closing_role::numbers) {
            slots += p.steps[s + behind + 1].slot_count;
            if (slots > most_slots) break;
            p.steps[s + ++behind].together = 0;
        }
        p.steps[s].closes = behind > 0;
        p.steps[s].together = 1 + behind;
    }
}

}  // namespace croton::inline v0_1::detail

#endif
