// SPDX-License-Identifier: MIT
// Plans that a call runs without memory or sizes of its own: loops along the elements of its arrays, single numbers between them, and products of matrices.
#ifndef CROTON_FUNCTION_DIRECT_PLAN_HPP
#define CROTON_FUNCTION_DIRECT_PLAN_HPP

#include <cstdint>

#include <croton/function/in_place.hpp>
#include <croton/plan/roles.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// Where an array that is written may lie: anywhere beside an argument, on the same elements or apart, or apart.
enum class nearness : std::uint8_t { any, alike, apart };

constexpr bool is_single(const shape& s) {
    for (int a = 0; a < s.rank; ++a)
        if (s[a] != 1) return false;
    return true;
}

/// Whether a slot lies along all axes of a step's loop, as its own array does.
constexpr bool runs_along(const plan_view& p, const step& s, const access& a) {
    const shape& of = p.buffers[a.buffer].shape;
    bool along = of.rank == s.inner;
    for (int k = 0; along && k < s.inner; ++k) along = a.axis.at[k] == k && of[k] == s.extent[static_cast<unsigned>(k)];
    return along;
}

/// Whether a step is a product of two arguments that lie by rows, of which the first may be turned, into a result that does.
constexpr bool is_direct_product(const plan_view& p, const step& s) {
    if (s.what != step_kind::product || s.batch != 0 || s.vector || has_epilogue(s) || s.accumulates || s.copies || s.alpha_computed || s.alpha == 0 ||
        (s.type != element::float32 && s.type != element::float64))
        return false;
    for (int i = 0; i < 3; ++i) {
        const access& a = p.slots[s.slot_from + i];
        const buffer_facts& b = p.buffers[a.buffer];
        const bool by_rows = a.axis.at[0] == 0 && a.axis.at[1] == 1, turned = a.axis.at[0] == 1 && a.axis.at[1] == 0;
        if (a.layout >= 0 || a.window >= 0 || a.gathered >= 0 || b.what != (i == 2 ? buffer_kind::output : buffer_kind::leaf) || b.type != s.type || b.shape.rank != 2 ||
            !(by_rows || (i == 0 && turned)))
            return false;
    }
    return true;
}

/// Whether a step goes over rows, one after the other.
constexpr bool goes_over_rows(const step& s) { return s.what == step_kind::kernel && s.outer > 0; }

constexpr bool is_direct_step(const plan_view& p, const step& s) {
    if (s.what == step_kind::product) return is_direct_product(p, s);
    if (s.what != step_kind::kernel || s.together != 1 || s.added != 0) return false;
    for (int i = 0; i < s.slot_count; ++i)
        if (const access& a = p.slots[s.slot_from + i]; a.layout >= 0 || a.window >= 0 || a.gathered >= 0 || a.along >= 0) return false;
    for (int i = 0; i < s.instruction_count; ++i) {
        const instruction& at = p.instructions[s.instruction_from + i];
        if (at.what == code_of::arange || at.what == code_of::gather) return false;
        if (goes_over_rows(s)) continue;
        if (at.what != code_of::load && at.what != code_of::store && at.what != code_of::accumulate) continue;
        const bool of_elements = at.block >= 2 && (at.block - 2) % 3 == 0;
        if (at.what == code_of::accumulate && (!at.fixed || !of_elements)) return false;
        const access& a = p.slots[s.slot_from + at.slot];
        if (of_elements && !at.fixed ? !runs_along(p, s, a) : !is_single(p.buffers[a.buffer].shape)) return false;
    }
    return true;
}

/// Whether the steps of a plan, one after the other on this thread, need nothing but pointers and extents.
constexpr bool is_direct(const plan_view& p) {
    if (p.step_count == 0 || p.step_count > 8 || p.leaf_count > 16 || p.bound_count > 0 || p.demand_count > 0 || p.loop_count > 0) return false;
    for (int i = 0; i < p.size_count; ++i)
        if (p.sizes[i].what != size_entry::origin::argument) return false;
    for (int i = 0; i < p.leaf_count; ++i)
        if (p.contiguous_leaf[i]) return false;
    for (int i = 0; i < p.buffer_count; ++i)
        if (p.buffers[i].what == buffer_kind::temporary && p.buffers[i].index >= 0 && !is_single(p.buffers[i].shape)) return false;
    for (int i = 0; i < p.step_count; ++i)
        if (!is_direct_step(p, p.steps[i])) return false;
    return true;
}

/// How many arguments a step reads along its loop, if these are all and are of one element type; 0 otherwise. One that stands in an expression several
/// times is several.
constexpr int equal_reads(const plan_view& p, const step& s) {
    int count = 0, first = -1;
    for (int i = 0; i < s.slot_count; ++i) {
        const access& a = p.slots[s.slot_from + i];
        const buffer_facts& b = p.buffers[a.buffer];
        if (b.what == buffer_kind::output || is_single(b.shape)) continue;
        if (b.what != buffer_kind::leaf || p.leaves[b.index].shared || (first >= 0 && p.leaves[first].type != b.type)) return 0;
        if (count++ == 0) first = b.index;
    }
    return count;
}

constexpr bool takes_sizes(const plan_view& p) {
    for (int i = 0; i < p.step_count; ++i)
        for (int k = 0; k < p.steps[i].instruction_count; ++k)
            if (p.instructions[p.steps[i].instruction_from + k].what == code_of::size) return true;
    return false;
}

/// Where buffer `written` may lie beside leaf `leaf` in such a plan. What is over before the first element is written does not matter.
constexpr nearness nearness_of(const plan_view& p, const buffer_facts& written, int leaf) {
    const auto is = [](const buffer_facts& b, const buffer_facts& of) { return b.what == of.what && b.index == of.index; };
    if (p.leaves[leaf].shared) return nearness::apart;
    const buffer_facts argument{.what = buffer_kind::leaf, .index = leaf};
    int first_write = p.step_count, last_read = -1, writers = 0;
    for (int s = 0; s < p.step_count; ++s) {
        bool writes = false;
        for (int i = 0; i < p.steps[s].slot_count; ++i) {
            const buffer_facts& b = p.buffers[p.slot(s, i).buffer];
            if (is(b, argument)) last_read = s;
            writes = writes || is(b, written);
        }
        if (!writes) continue;
        if (writers++ == 0) first_write = s;
    }
    if (last_read < first_write && written.what == buffer_kind::output) return nearness::any;
    if (last_read > first_write || writers > 1 || written.what != buffer_kind::output) return nearness::apart;
    if (goes_over_rows(p.steps[first_write])) return nearness::apart;
    const bool same_form = p.leaves[leaf].type == written.type && p.leaves[leaf].shape.rank == written.shape.rank;
    return same_form && reads_before_it_writes_in(p, first_write, leaf, written.index) ? nearness::alike : nearness::apart;
}

}  // namespace croton::inline v0_1::detail

#endif
