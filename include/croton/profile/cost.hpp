// SPDX-License-Identifier: MIT
// The work of a step for given sizes: bytes that must pass through memory, arithmetic operations.
#ifndef CROTON_PROFILE_COST_HPP
#define CROTON_PROFILE_COST_HPP

#include <cstdint>

#include <croton/core/element.hpp>
#include <croton/plan/view.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

struct step_cost {
    std::int64_t bytes = 0, written = 0, operations = 0;

    void add(const step_cost& other, std::int64_t times = 1) {
        bytes += times * other.bytes;
        written += times * other.written;
        operations += times * other.operations;
    }
};

/// The distinct elements that a loop over the step's axes touches in a slot.
inline std::int64_t touched(const step& s, const access& a, const std::int64_t* sizes) {
    std::int64_t n = 1;
    for (unsigned i = 0; i < max_rank; ++i)
        if (a.axis.at[i] >= 0) n *= size_value(s.extent[i], sizes);
    return n;
}

inline std::int64_t loop_size(const step& s, int from, int to, const std::int64_t* sizes) {
    std::int64_t n = 1;
    for (int i = from; i < to; ++i) n *= size_value(s.extent[static_cast<unsigned>(i)], sizes);
    return n;
}

/// Each array is counted once for reading and once for writing, however often the step comes back to it: what it comes
/// back to is in the cache. Every operator counts as one operation, a multiply-add of a matrix product as two,
/// also where a BLAS computes one triangle only, of a matrix times its own transpose.
inline step_cost cost_of(const plan_view& p, int index, const std::int64_t* sizes) {
    const step& s = p.steps[index];
    step_cost cost;
    const auto width = [&](const access& a) { return static_cast<std::int64_t>(size_of(p.buffers[a.buffer].type)); };
    if (s.what == step_kind::copy) {
        const std::int64_t n = loop_size(s, 0, s.outer, sizes);
        cost.written = n * width(p.slot(index, 1));
        cost.bytes = cost.written + n * width(p.slot(index, 0));
        return cost;
    }
    if (s.what == step_kind::product) {
        const std::int64_t m = size_value(s.extent[0], sizes), k = size_value(s.extent[1], sizes);
        const std::int64_t n = s.vector ? 1 : size_value(s.extent[2], sizes);
        const auto bytes = static_cast<std::int64_t>(size_of(s.type)), read = width(p.slot(index, 0));
        // How often a slot holds its matrix.
        const auto matrices = [&](int slot) {
            std::int64_t count = 1;
            for (unsigned i = 0; i < s.batch; ++i)
                if (p.slot(index, slot).axis.at[2 + i] >= 0) count *= size_value(s.extent[matrix_extents + i], sizes);
            return count;
        };
        const std::int64_t batch = matrices(2);
        cost.operations = batch * (2 * m * k * n + (s.accumulates ? 2 * m * n : 0));
        cost.bytes = read * (matrices(0) * m * k + matrices(1) * k * n) + bytes * batch * m * n * (s.copies ? 4 : s.accumulates ? 2 : 1);
        cost.written = bytes * batch * m * n * (s.copies ? 2 : 1);
        if (s.biased) {
            cost.operations += m * n;
            cost.bytes += bytes * n;
        }
        if (s.activation != code<op::copy>) cost.operations += m * n;
        return cost;
    }
    if (s.what == step_kind::routine) {
        const kernel::routine_facts& facts = *p.routines[s.routine];
        const std::int64_t count = loop_size(s, 0, s.outer, sizes), along = s.outer == 0 ? 1 : size_value(s.extent[static_cast<unsigned>(s.outer - 1)], sizes);
        const std::int64_t length = size_value(s.length, sizes);
        for (int i = 0; i < s.slot_count; ++i) {
            const access& a = p.slot(index, i);
            const bool whole = ((facts.whole >> i) & 1u) != 0, result = i == s.slot_count - 1;
            std::int64_t n = whole ? length : touched(s, a, sizes);
            const bool changed = facts.in_place >= 0 && p.slot(index, facts.in_place).buffer == p.slot(index, s.slot_count - 1).buffer;
            // A matrix that is no part of another is read as a whole.
            if ((facts.of_matrices || facts.of_elements) && !result && a.window < 0) n = element_count(p.buffers[a.buffer].shape, sizes);
            else if ((i == facts.measured || (changed && (i == facts.in_place || result))) && !whole && along > 0) n = n / along * length;
            cost.bytes += n * width(a);
            if (result) cost.written = n * width(a);
        }
        if (facts.of_elements) {
            kernel::routine_call call;
            call.rank = s.outer;
            call.attributes = kernel::attributes_of(s.bits);
            for (int i = 0; i < s.outer; ++i) call.extent[i] = size_value(s.extent[static_cast<unsigned>(i)], sizes);
            fill_argument_extents(p, s, sizes, call);
            cost.operations = facts.work(call);
            return cost;
        }
        cost.operations = facts.operations(facts.in_place >= 0 && along > 0 ? count / along * length : count, length);
        return cost;
    }
    const int axes = s.outer + s.inner;
    vec<char> read(s.slot_count, 0), written(s.slot_count, 0);
    for (int i = s.instruction_from; i < s.instruction_from + s.instruction_count; ++i) {
        const instruction& each = p.instructions[i];
        const bool of_elements = each.block >= 2 && each.block % 3 != 1;
        const std::int64_t times = each.block == 0 ? 1 : loop_size(s, 0, of_elements ? axes : s.outer, sizes);
        switch (each.what) {
        case code_of::load:
        case code_of::store:
        case code_of::accumulate: {
            vec<char>& done = each.what == code_of::load ? read : written;
            const access& a = p.slot(index, each.slot);
            if (each.what == code_of::accumulate) cost.operations += times;
            if (done[each.slot] == 0 && p.buffers[a.buffer].what != buffer_kind::number) {
                const std::int64_t bytes = touched(s, a, sizes) * width(a);
                cost.bytes += bytes;
                if (each.what != code_of::load) cost.written += bytes;
            }
            done[each.slot] = 1;
            break;
        }
        case code_of::gather: cost.bytes += times * width(p.slot(index, each.slot)); break;
        case code_of::apply:
        case code_of::reduce: cost.operations += times; break;
        default: break;
        }
    }
    return cost;
}

/// The work of the launch that a step begins; none of a step that an earlier one has launched.
inline step_cost launch_cost(const plan_view& p, int index, const std::int64_t* sizes) {
    step_cost all;
    for (int s = index; s < index + p.steps[index].together; ++s) all.add(cost_of(p, s, sizes));
    return all;
}

/// The same of a function: of a step that is a loop, the work of the steps of as many turns as there can be. Who hears of its turns knows better.
inline step_cost launch_cost(const function_facts& f, int index, const std::int64_t* sizes) {
    const step& s = f.plan.steps[index];
    if (s.what != step_kind::repeat || f.loops == nullptr) return launch_cost(f.plan, index, sizes);
    const int loop = f.plan.loop_of_step(index);
    const function_facts& turn = *f.loops[loop];
    const std::int64_t turns = size_value(s.length, sizes), most = f.plan.loops[loop].at_most;
    step_cost all;
    for (int i = 0; i < turn.plan.step_count; ++i) all.add(launch_cost(turn, i, sizes), most > 0 && most < turns ? most : turns);
    return all;
}

}  // namespace croton::inline v0_1::detail

#endif
