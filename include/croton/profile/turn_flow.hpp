// SPDX-License-Identifier: MIT
// Which steps of a turn need what is carried into it, and which of them the next turn needs: the others could run for all turns at once.
#ifndef CROTON_PROFILE_TURN_FLOW_HPP
#define CROTON_PROFILE_TURN_FLOW_HPP

#include <cstddef>
#include <vector>

#include <croton/plan/roles.hpp>

namespace croton::inline v0_1::detail {

/// Goes by what steps read and write: of several values that one step makes, each is taken to need and to feed what any of them does.
class turn_flow {
public:
    turn_flow(const plan_view& turn, const loop_entry& loop)
        : p(turn), l(loop), needs_(count(turn.step_count), 0), feeds_(count(turn.step_count), 0) {
        int stacks = 0;
        for (int b = 0; b < p.buffer_count; ++b) stacks += p.buffers[b].what == buffer_kind::output ? 1 : 0;
        stacks -= l.carried + (l.stops ? 1 : 0);
        std::vector<char> carried(count(p.buffer_count), 0), next = carried;
        for (int b = 0; b < p.buffer_count; ++b) {
            const buffer_facts& facts = p.buffers[b];
            if (facts.what == buffer_kind::leaf && facts.index < l.carried) carried[at(b)] = 1;
            // Whether there is another turn is carried on as well.
            if (facts.what == buffer_kind::output && (facts.index < l.carried || facts.index >= l.carried + stacks)) next[at(b)] = 1;
        }
        for (int s = 0; s < p.step_count; ++s) spread(s, false, carried, needs_);
        for (int s = p.step_count - 1; s >= 0; --s) spread(s, true, next, feeds_);
    }

    bool needs_carried(int step) const { return needs_[at(step)] != 0; }
    bool feeds_next(int step) const { return feeds_[at(step)] != 0; }
    /// Whether a factor of a product is the same at every turn.
    bool has_same_factor(int step) const {
        if (p.steps[step].what != step_kind::product) return false;
        for (int i = 0; i < 2; ++i) {
            const buffer_facts& b = p.buffers[p.slot(step, i).buffer];
            if (b.what == buffer_kind::leaf && b.index >= l.carried + l.sequences && b.index < l.carried + l.sequences + l.captured) return true;
        }
        return false;
    }

private:
    const plan_view& p;
    const loop_entry& l;
    std::vector<char> needs_, feeds_;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static std::size_t count(int n) { return static_cast<std::size_t>(n); }

    /// From the marked buffers that a step reads to those that it writes, or back.
    void spread(int step, bool back, std::vector<char>& marked, std::vector<char>& steps) const {
        const auto each = [&](auto&& f) { each_use(p, step, [&](int slot, bool writes) { f(at(p.slot(step, slot).buffer), writes != back); }); };
        each([&](std::size_t buffer, bool to) {
            if (!to && marked[buffer] != 0) steps[at(step)] = 1;
        });
        if (steps[at(step)] == 0) return;
        each([&](std::size_t buffer, bool to) {
            if (to) marked[buffer] = 1;
        });
    }
};

}  // namespace croton::inline v0_1::detail

#endif
