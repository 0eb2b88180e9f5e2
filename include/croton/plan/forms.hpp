// SPDX-License-Identifier: MIT
// Which steps of a plan one piece of code runs: a program of many equal layers is compiled once for each kind of step in it.
#ifndef CROTON_PLAN_FORMS_HPP
#define CROTON_PLAN_FORMS_HPP

#include <croton/core/vec.hpp>
#include <croton/plan/plan.hpp>

namespace croton::inline v0_1::detail {

/// The steps that are started by themselves, in order, and with each the number of its form: of what runs by the same code. Steps
/// of one form differ in their operands, their extents and in the constant factors of a product.
template <int Steps> struct launch_list {
    int count = 0, forms = 0;
    int step[static_cast<unsigned>(Steps + 1)]{};
    int form[static_cast<unsigned>(Steps + 1)]{};
    int first[static_cast<unsigned>(Steps + 1)]{};  // by form: the first step of the plan that has it
};

/// The element type in which a product reads its matrices.
template <class Plan> constexpr element read_type(const Plan& p, const step& s) { return p.buffers[p.slots[s.slot_from].buffer].type; }

/// Whether step `s` has instructions that make a type.
constexpr bool has_kernel(const step& s) { return s.what == step_kind::kernel || s.alpha_computed || s.beta_computed; }

/// Numbers that steps of one form have in common, mixed to one.
template <class Plan> constexpr unsigned form_digest(const Plan& p, const step& s) {
    unsigned digest = static_cast<unsigned>(s.what) * 64 + static_cast<unsigned>(s.outer);
    const instruction* i = p.instructions.entry + s.instruction_from;
    for (int left = s.instruction_count; left > 0; --left, ++i)
        digest = (digest ^ static_cast<unsigned>(i->fn + i->slot * 256)) * 0x9E3779B1u + static_cast<unsigned>(i->in[0].index);
    return digest;
}

/// Whether two steps run by the same code.
template <class Plan> constexpr bool have_one_form(const Plan& p, const step& a, const step& b) {
    if (a.what != b.what || a.type != b.type || a.outer != b.outer || a.inner != b.inner || a.phases != b.phases || a.together != b.together ||
        a.closes != b.closes || a.instruction_count != b.instruction_count)
        return false;
    if (a.closes)
        for (int k = 1; k < a.together; ++k)
            if (!have_one_form(p, *(&a + k), *(&b + k))) return false;
    if (a.what == step_kind::product &&
        (a.vector != b.vector || a.batch != b.batch || a.accumulates != b.accumulates || a.copies != b.copies || a.biased != b.biased || a.activation != b.activation ||
         a.alpha_computed != b.alpha_computed || a.beta_computed != b.beta_computed || read_type(p, a) != read_type(p, b)))
        return false;
    if (a.what == step_kind::routine) {
        if (a.routine != b.routine) return false;
        for (int k = 0; k < a.slot_count; ++k)
            if (p.buffers[p.slots[a.slot_from + k].buffer].type != p.buffers[p.slots[b.slot_from + k].buffer].type) return false;
    }
    if (a.what == step_kind::repeat) return false;  // each has a region of its own
    const instruction *i = p.instructions.entry + a.instruction_from, *j = p.instructions.entry + b.instruction_from;
    for (int left = a.instruction_count; left > 0; --left, ++i, ++j) {
        const instruction &x = *i, &y = *j;
        if (x.what != y.what || x.fn != y.fn || x.slot != y.slot || x.bits != y.bits || x.block != y.block || x.type != y.type || x.fixed != y.fixed) return false;
        for (int k = 0; k < 3; ++k) {
            const value_ref &u = x.in[k], &v = y.in[k];
            if (u.index != v.index) return false;
            if (u.index < 0) break;
            if (u.at != v.at || u.type != v.type) return false;
        }
    }
    return true;
}

template <int Steps, class Plan> constexpr launch_list<Steps> find_forms(const Plan& p) {
    launch_list<Steps> out;
    constexpr int lists = 64;
    int head[lists]{};  // by bits of a digest: the forms
    for (int& h : head) h = -1;
    vec<int> next;
    vec<unsigned> digests;
    for (int s = 0; s < p.steps.size(); ++s) {
        const step& mine = p.steps.entry[s];
        if (mine.together == 0) continue;  // a step before it runs this one too
        const unsigned digest = form_digest(p, mine);
        int& first = head[(digest >> 16) % lists];
        int known = first;
        while (known >= 0 && (digests.at[known] != digest || !have_one_form(p, p.steps.entry[out.first[known]], mine))) known = next.at[known];
        if (known < 0) {
            known = out.forms++;
            out.first[known] = s;
            digests.push(digest);
            next.push(first);
            first = known;
        }
        out.step[out.count] = s;
        out.form[out.count++] = known;
    }
    return out;
}

/// The launches of `Plan`, a type with a static `value()`, the plan.
template <class Plan> struct launches_of {
    static constexpr int steps = Plan::value().steps.count;
    static constexpr launch_list<steps> value = find_forms<steps>(Plan::value());
};

}  // namespace croton::inline v0_1::detail

#endif
