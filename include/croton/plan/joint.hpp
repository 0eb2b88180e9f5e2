// SPDX-License-Identifier: MIT
// Loops of one kernel that wait for nothing of each other, such as the updates of all parameters: one launch runs them all.
#ifndef CROTON_PLAN_JOINT_HPP
#define CROTON_PLAN_JOINT_HPP

#include <croton/core/vec.hpp>
#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// Joins steps to units that run side by side. An edge leads from a step to one that waits for it.
class joining {
public:
    vec<int> unit_of;  // by step: its unit, named by the first step

    constexpr joining(int steps, const vec<int>& from, const vec<int>& to)
        : unit_of(steps, 0), to_(to), next_member_(steps, -1), last_member_(steps, 0), size_(steps, 1), head_(steps, -1), next_edge_(from.size(), -1), seen_(steps, 0) {
        for (int s = 0; s < steps; ++s) unit_of.at[s] = last_member_.at[s] = s;
        for (int e = 0, edges = from.size(); e < edges; ++e) {
            next_edge_.at[e] = head_.at[from.at[e]];
            head_.at[from.at[e]] = e;
        }
    }

    /// Takes the steps in an order in which they could run; those with the same number in `kernel`, other than -1, are joined
    /// where none waits for another, through whatever stands between them.
    constexpr void run(const vec<int>& order, const vec<int>& kernel) {
        vec<int> open;  // by kernel: the unit that grows
        for (const int s : order) {
            if (kernel[s] < 0) continue;
            while (open.size() <= kernel[s]) open.push(-1);
            int& unit = open[kernel[s]];
            // What this step leads to stands behind it, and is in no unit yet: only the unit can lead to the step.
            if (unit >= 0 && size_[unit] < most && !leads(unit, s)) add(unit, s);
            else unit = s;
        }
    }

    /// The step of the same unit behind this one, or -1.
    constexpr int next(int step) const { return next_member_.at[step]; }

private:
    static constexpr int most = 64;

    const vec<int>& to_;
    vec<int> next_member_, last_member_, size_, head_, next_edge_, seen_;
    int stamp_ = 0;

    constexpr void add(int unit, int step) {
        unit_of[step] = unit;
        next_member_[last_member_[unit]] = step;
        last_member_[unit] = step;
        ++size_[unit];
    }

    /// Whether unit `b` waits for unit `a`.
    constexpr bool leads(int a, int b) {
        ++stamp_;
        vec<int> open;
        open.push(a);
        while (!open.empty()) {
            const int unit = open.back();
            open.pop();
            for (int member = unit; member >= 0; member = next_member_[member])
                for (int e = head_[member]; e >= 0; e = next_edge_[e]) {
                    const int reached = unit_of[to_[e]];
                    if (reached == b) return true;
                    if (reached == unit || seen_[reached] == stamp_) continue;
                    seen_[reached] = stamp_;
                    open.push(reached);
                }
        }
        return false;
    }
};

/// Whether step `s` is one loop over elements that only stores: its blocks know nothing of each other but numbers.
template <class Plan> constexpr bool is_joinable(const Plan& p, int s) {
    const step& t = p.steps[s];
    if (t.what != step_kind::kernel || t.outer != 0 || t.inner == 0 || t.phases != 1) return false;
    for (int i = t.instruction_from; i < t.instruction_from + t.instruction_count; ++i) {
        const instruction& each = p.instructions[i];
        const bool sums = each.what == code_of::accumulate || each.what == code_of::reduce;
        const bool in_element = each.block == 2, once = each.block == 0 && each.what != code_of::store;
        if (sums || !(in_element || once)) return false;
    }
    return true;
}

/// Whether two steps that can be joined have the same kernel, up to leading loop axes that one of them lacks.
template <class Plan> constexpr bool have_one_kernel(const Plan& p, int a, int b) {
    const step &x = p.steps[a], &y = p.steps[b];
    if (x.instruction_count != y.instruction_count || x.slot_count != y.slot_count) return false;
    for (int k = 0; k < x.instruction_count; ++k) {
        const instruction& i = p.instructions[x.instruction_from + k];
        instruction j = p.instructions[y.instruction_from + k];
        if (j.what == code_of::arange) j.slot += x.inner - y.inner;
        if (!(i == j)) return false;
    }
    return true;
}

/// Numbers the kernels that several steps have: fills `kernel`, by group, with the number or -1; leaves it empty where there are
/// none.
template <class Plan, class Steps> constexpr void find_equal_kernels(const Plan& p, const Steps& steps, int groups, vec<int>& kernel) {
    vec<int> first, number;  // by kernel: a step that has it, and its number once there is another
    int count = 0;
    for (int s = 0; s < p.steps.size(); ++s) {
        if (!is_joinable(p, s)) continue;
        int k = 0;
        while (k < first.size() && !have_one_kernel(p, first[k], s)) ++k;
        if (k == first.size()) {
            first.push(s);
            number.push(-1);
            continue;
        }
        if (count == 0) kernel.assign(groups, -1);
        if (number[k] < 0) {
            number[k] = count++;
            kernel[steps[first[k]].group] = number[k];
        }
        kernel[steps[s].group] = number[k];
    }
}

/// Gives a step `count` leading loop axes of extent 1.
template <class Plan> constexpr void add_axes(Plan& p, int s, int count) {
    step& t = p.steps[s];
    const auto shifted = [&](int to) { return static_cast<unsigned>(to - count); };
    for (int i = max_rank - 1; i >= 0; --i) t.extent[static_cast<unsigned>(i)] = i < count ? size_ref{1} : t.extent[shifted(i)];
    for (int k = t.slot_from; k < t.slot_from + t.slot_count; ++k) {
        auto& axis = p.slots[k].axis;
        for (int i = max_rank - 1; i >= 0; --i) axis.at[static_cast<unsigned>(i)] = i < count ? std::int8_t{-1} : axis.at[shifted(i)];
    }
    for (int k = t.instruction_from; k < t.instruction_from + t.instruction_count; ++k)
        if (p.instructions[k].what == code_of::arange) p.instructions[k].slot += count;
    t.inner += count;
    t.added = count;
}

/// Makes one launch of the steps of each unit. `last_of_unit`: by step, the last one of its unit, which stand side by side.
template <class Plan> constexpr void join_loops(Plan& p, const vec<int>& last_of_unit) {
    for (int first = 0; first < p.steps.size();) {
        int count = 1, inner = p.steps[first].inner;
        if (is_joinable(p, first))
            while (first + count <= last_of_unit[first] && have_one_kernel(p, first, first + count)) {
                const int more = p.steps[first + count++].inner;
                inner = more > inner ? more : inner;
            }
        for (int s = first; count > 1 && s < first + count; ++s) {
            add_axes(p, s, inner - p.steps[s].inner);
            p.steps[s].together = s == first ? count : 0;
        }
        first += count;
    }
}

}  // namespace croton::inline v0_1::detail

#endif
