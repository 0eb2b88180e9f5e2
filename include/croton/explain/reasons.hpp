// SPDX-License-Identifier: MIT
// Which values go through memory from one step to another, and what kept the two steps from being one.
#ifndef CROTON_EXPLAIN_REASONS_HPP
#define CROTON_EXPLAIN_REASONS_HPP

#include <croton/explain/formula.hpp>
#include <croton/plan/roles.hpp>

namespace croton::inline v0_1::detail {

/// A value that one step leaves in memory for another.
struct transfer {
    int buffer = -1, writer = -1, reader = -1;
    std::string reason;
    bool avoidable = false;  // another way to write the program would keep the value out of memory
};

/// Finds them by what the steps read and write: the plan itself is asked, not what made it.
template <class Plan> class transfer_list {
  public:
    transfer_list(const Plan& plan, bool fuses)
        : p(plan), fuses_(fuses), touched_(static_cast<unsigned>(plan.step_count)) {
        for (int s = 0; s < p.step_count; ++s) note(s);
        for (int r = 0; r < p.step_count; ++r)
            for (const touch& t : of(r)) {
                const int w = t.writes ? -1 : writer_before(t.buffer, r);
                if (w >= 0) transfers.push_back({t.buffer, w, r, reason(w, r, t), avoidable(w, r, t)});
            }
    }

    std::vector<transfer> transfers;

  private:
    struct touch {
        int buffer = -1;
        bool writes = false, accumulates = false, reshaped = false, sliced = false;
        axis_map axis{};
    };

    const Plan& p;
    bool fuses_;
    std::vector<std::vector<touch>> touched_;

    const std::vector<touch>& of(int step) const { return touched_[static_cast<unsigned>(step)]; }
    bool is_kernel(int s) const { return p.steps[s].what == step_kind::kernel; }
    std::string routine(int s) const { return std::string(p.routines[p.steps[s].routine]->name); }
    bool is_loop(int s) const { return p.steps[s].what == step_kind::repeat; }
    std::string loop(int s) const { return p.names.loop(p.loop(s)); }
    static int axes(const step& s) { return s.outer + s.inner; }
    std::string number(int s) const { return "step " + std::to_string(s + 1); }

    void add(int s, int slot, bool writes, bool accumulates) {
        const access& a = p.slot(s, slot);
        if (p.buffers[a.buffer].what == buffer_kind::number) return;
        auto& list = touched_[static_cast<unsigned>(s)];
        for (const touch& t : list)
            if (t.buffer == a.buffer && t.writes == writes && t.reshaped == (a.layout >= 0) && t.sliced == (a.window >= 0)) return;
        list.push_back({a.buffer, writes, accumulates, a.layout >= 0, a.window >= 0, a.axis});
    }

    void note(int s) {
        const step& st = p.steps[s];
        for (int i = st.instruction_from; i < st.instruction_from + st.instruction_count; ++i) {
            const instruction& each = p.instructions[i];
            if (each.what == code_of::load || each.what == code_of::gather) add(s, each.slot, false, false);
            else if (each.what == code_of::store || each.what == code_of::accumulate)
                add(s, each.slot, true, each.what == code_of::accumulate);
        }
        each_role(p, s, [&](int slot, bool writes) { add(s, slot, writes, false); });
    }

    const touch* written(int buffer, int s) const {
        for (const touch& t : of(s))
            if (t.writes && t.buffer == buffer) return &t;
        return nullptr;
    }
    int writer_before(int buffer, int s) const {
        for (int w = s - 1; w >= 0; --w)
            if (written(buffer, w) != nullptr) return w;
        return -1;
    }
    /// Whether step `s` reads what step `w` wrote.
    bool reads_from(int s, int w) const {
        for (const touch& t : of(s))
            if (!t.writes && writer_before(t.buffer, s) == w) return true;
        return false;
    }

    std::string loops(int s) const {
        const step& st = p.steps[s];
        return axes(st) == 0 ? "single numbers" : p.names.extents(st.extent, 0, axes(st));
    }
    /// Whether two loops run over the same extents, in whatever order.
    bool same_loops(int a, int b) const {
        const step& x = p.steps[a];
        const step& y = p.steps[b];
        if (axes(x) != axes(y)) return false;
        unsigned used = 0;
        for (int i = 0; i < axes(x); ++i) {
            int j = 0;
            while (j < axes(y) && (((used >> j) & 1u) != 0 ||
                                   x.extent[static_cast<unsigned>(i)] != y.extent[static_cast<unsigned>(j)]))
                ++j;
            if (j == axes(y)) return false;
            used |= 1u << j;
        }
        return true;
    }

    /// A step on the way from `w` to `r`, or -1: with one, the two as one step would wait for themselves.
    int between(int w, int r) const {
        std::vector<char> after(static_cast<unsigned>(p.step_count), 0);
        after[static_cast<unsigned>(w)] = 1;
        for (int k = w + 1; k < r; ++k)
            for (int j = w; j < k; ++j)
                if (after[static_cast<unsigned>(j)] != 0 && reads_from(k, j)) after[static_cast<unsigned>(k)] = 1;
        for (int k = r - 1; k > w; --k)
            if (after[static_cast<unsigned>(k)] != 0 && reads_from(r, k)) return k;
        return -1;
    }
    /// Another step that `r` waits for and `w` does not.
    int also_waited_for(int w, int r) const {
        for (int k = r - 1; k >= 0; --k)
            if (k != w && reads_from(r, k) && !reads_from(w, k)) return k;
        return -1;
    }

    std::string reason(int w, int r, const touch& read) const {
        const touch& made = *written(read.buffer, w);
        if (p.steps[r].what == step_kind::copy) return waits(r);
        if (is_loop(w)) return loop(w) + " makes it";
        if (is_loop(r)) return loop(r) + " reads it";
        if (p.steps[w].what == step_kind::routine) return routine(w) + " makes it";
        if (p.steps[r].what == step_kind::routine) return routine(r) + " reads it";
        if (!is_kernel(w) && !is_kernel(r)) return "from one matrix product to the next";
        if (!is_kernel(w)) return "a matrix product makes it";
        if (!is_kernel(r)) return "a matrix product reads it";
        if (!fuses_) return "this device gives every operation a loop of its own";
        if (read.reshaped) return "read through a reshape, in another order of indices";
        if (read.sliced) return "read in part, at other indices than those that are written";
        if (made.accumulates) return "complete only when the loop over " + loops(w) + " has ended";
        if (axes(p.steps[r]) == 0) return "single numbers are computed on their own";
        if (axes(p.steps[w]) == 0) return "a single number, computed before the loop starts";
        if (const int b = incomplete(w, r); b >= 0)
            return number(r) + " needs " + p.buffer(b) + " as well, complete only when this loop has ended";
        if (!same_loops(w, r)) return "the loops differ: " + loops(w) + " and " + loops(r);
        if (const int k = between(w, r); k >= 0)
            return number(k) + " lies between: it needs this value, and " + number(r) + " needs its result";
        if (const int k = also_waited_for(w, r); k >= 0)
            return number(r) + " has to wait for " + number(k) + " as well";
        if (rows(w) || rows(r)) return "rows are complete along different axes";
        return "written along other axes than it is read";
    }

    /// Two loops that could be one if they ran over the same indices in the same order.
    bool avoidable(int w, int r, const touch& read) const {
        const bool loops = fuses_ && is_kernel(w) && is_kernel(r) && axes(p.steps[w]) > 0 && axes(p.steps[r]) > 0;
        return loops && (read.reshaped || (!written(read.buffer, w)->accumulates && incomplete(w, r) < 0));
    }

    /// Another value that `w` has only when all of it is done, and `r` reads.
    int incomplete(int w, int r) const {
        for (const touch& t : of(r))
            if (!t.writes && writer_before(t.buffer, r) == w && written(t.buffer, w)->accumulates) return t.buffer;
        return -1;
    }

    /// Why a new value is copied at the end: its buffer still held the old one, which somebody read.
    std::string waits(int copy) const {
        const int target = p.slot(copy, 1).buffer;
        for (int k = copy - 1; k >= 0; --k)
            for (const touch& t : of(k))
                if (t.buffer == target && !t.writes) return number(k) + " reads the old " + p.buffer(target) + " first";
        return "the old " + p.buffer(target) + " is read first";
    }

    bool rows(int s) const {
        const step& st = p.steps[s];
        for (int i = st.instruction_from; i < st.instruction_from + st.instruction_count; ++i)
            if (p.instructions[i].what == code_of::reduce) return true;
        return false;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
