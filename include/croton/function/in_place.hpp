// SPDX-License-Identifier: MIT
// Whether a result may be written into the memory of an argument that the function reads, where both lie alike.
#ifndef CROTON_FUNCTION_IN_PLACE_HPP
#define CROTON_FUNCTION_IN_PLACE_HPP

#include <limits>

#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// Whether step `at`, which writes an output and reads a leaf, reads each element of the leaf before it writes that of the output at the same place, and
/// at no other place. A product does of what it is added to, and of nothing else.
constexpr bool reads_before_it_writes_in(const plan_view& p, int at, int leaf, int output) {
    const auto is = [&](const access& a, buffer_kind what, int index) { return p.buffers[a.buffer].what == what && p.buffers[a.buffer].index == index; };
    const step& s = p.steps[at];
    if (s.what != step_kind::kernel && s.what != step_kind::product) return false;
    const access* written = nullptr;
    for (int i = 0; i < s.slot_count; ++i)
        if (is(p.slot(at, i), buffer_kind::output, output)) written = &p.slot(at, i);
    const auto alike = [&](const access& a) {
        bool same = a.layout < 0 && a.window < 0 && a.along < 0;
        for (int k = 0; k < max_rank; ++k) same = same && a.axis.at[k] == written->axis.at[k];
        return same;
    };
    if (!alike(*written)) return false;
    if (s.what == step_kind::product) {
        bool only_addend = s.copies && written == &p.slot(at, 2) && alike(p.slot(at, 3));
        for (int i = 0; i < s.slot_count; ++i) only_addend = only_addend && is(p.slot(at, i), buffer_kind::leaf, leaf) == (i == 3);
        return only_addend;
    }
    // Instructions run in the order of their blocks.
    int last_read = -1, first_write = std::numeric_limits<int>::max();
    for (int i = 0; i < s.instruction_count; ++i) {
        const instruction& one = p.instructions[s.instruction_from + i];
        if (one.what != code_of::load && one.what != code_of::gather && one.what != code_of::store && one.what != code_of::accumulate) continue;
        const access& a = p.slot(at, one.slot);
        const int time = one.block * s.instruction_count + i;
        if (is(a, buffer_kind::leaf, leaf)) {
            if (one.what != code_of::load || !alike(a)) return false;
            if (time > last_read) last_read = time;
        } else if (is(a, buffer_kind::output, output)) {
            if (one.what != code_of::store) return false;
            if (time < first_write) first_write = time;
        }
    }
    return last_read < first_write;
}

/// Whether each element of a leaf is read in no other step than that which writes the element of an output at the same place, and before that
/// is written: then `y = 2 * y + x` and `y += dot(m, n)` need no memory besides. Only one step may read the leaf, because others may run block by block with that which writes.
[[gnu::cold]] inline bool reads_before_it_writes(const plan_view& p, int leaf, int output) {
    int writer = -1, reader = -1;
    for (int s = 0; s < p.step_count; ++s)
        for (int i = 0; i < p.steps[s].slot_count; ++i) {
            const buffer_facts& b = p.buffers[p.slot(s, i).buffer];
            int* which = b.what == buffer_kind::output && b.index == output ? &writer : b.what == buffer_kind::leaf && b.index == leaf ? &reader : nullptr;
            if (which == nullptr) continue;
            if (*which >= 0 && *which != s) return false;
            *which = s;
        }
    if (writer < 0 || reader < 0) return writer >= 0;
    return writer == reader && reads_before_it_writes_in(p, writer, leaf, output);
}

}  // namespace croton::inline v0_1::detail

#endif
