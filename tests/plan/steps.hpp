// SPDX-License-Identifier: MIT
// A plan as text, for tests that say what the steps of a function are.
#ifndef CROTON_TESTS_PLAN_STEPS_HPP
#define CROTON_TESTS_PLAN_STEPS_HPP

#include <sstream>
#include <string>

#include <croton/croton.hpp>

namespace plan_tests {

using namespace croton;
using detail::buffer_kind;
using detail::plan_of;
using detail::step;
using detail::step_kind;

template <class F> constexpr const auto& plan_for(F) { return plan_of<detail::program_of<F, true>, detail::fuses_loops>::get(); }

template <class F> constexpr int count(F, step_kind what) {
    int n = 0;
    for (const step& s : plan_for(F{}).steps) n += s.what == what ? 1 : 0;
    return n;
}
template <class F> constexpr int products(F f) { return count(f, step_kind::product); }
template <class F> constexpr int kernels(F f) { return count(f, step_kind::kernel); }
template <class F> constexpr int copies(F f) {
    int n = count(f, step_kind::copy);
    for (const step& s : plan_for(f).steps) n += s.copies ? 1 : 0;
    return n;
}

/// The steps in order: `product` or `kernel`, what they write, and for products the factors: a number, or `?` where the
/// call computes it; `+copy` where the addend is copied first.
///
/// `kernel -> out0 tmp; product alpha ? beta 0.998 -> arg2`
template <class F> std::string steps(F f) {
    const auto& p = plan_for(f);
    std::ostringstream out;
    const auto name = [&](int buffer) {
        const auto& b = p.buffers[buffer];
        if (b.what == buffer_kind::leaf) out << " arg" << b.index;
        else if (b.what == buffer_kind::output) out << " out" << b.index;
        else if (b.what == buffer_kind::temporary) out << " tmp" << b.index;
    };
    bool first = true;
    for (const step& s : p.steps) {
        if (!first) out << "; ";
        first = false;
        if (s.what == step_kind::product) {
            out << "product";
            if (s.alpha_computed) out << " alpha ?";
            else if (s.alpha != 1) out << " alpha " << s.alpha;
            if (s.accumulates && s.beta_computed) out << " beta ?";
            else if (s.accumulates) out << " beta " << s.beta;
            if (s.copies) out << " +copy";
            out << " ->";
            name(p.slots[s.slot_from + 2].buffer);
        } else if (s.what == step_kind::copy) {
            out << "copy ->";
            name(p.slots[s.slot_from + 1].buffer);
        } else {
            out << "kernel ->";
            for (int k = 0; k < s.slot_count; ++k) {
                bool written = false;
                for (int i = 0; i < s.instruction_count; ++i) {
                    const auto& code = p.instructions[s.instruction_from + i];
                    written = written || ((code.what == detail::code_of::store || code.what == detail::code_of::accumulate) && code.slot == k);
                }
                if (written) name(p.slots[s.slot_from + k].buffer);
            }
        }
    }
    return out.str();
}

/// Whether operand `which` of the first product is read transposed.
template <class F> constexpr bool transposed(F f, int which) {
    const auto& p = plan_for(f);
    for (const step& s : p.steps)
        if (s.what == step_kind::product) return p.slots[s.slot_from + which].axis.at[0] == 1;
    return false;
}

}  // namespace plan_tests

#endif
