// SPDX-License-Identifier: MIT
// Two products with one matrix, joined by work on its rows: what can run a block of rows at a time, so that the matrix comes from memory once.
#ifndef CROTON_PLAN_ONE_PASS_HPP
#define CROTON_PLAN_ONE_PASS_HPP

#include <croton/plan/roles.hpp>

namespace croton::inline v0_1::detail {

/// The steps of `y = a x`, loops along its rows, `z = a^T r`, of vectors or matrices. Between the first and the last there may be others that wait for sums over the rows; they run
/// when all rows are done, and then `z` is stored.
struct one_pass {
    static constexpr int most = 8;
    int count = 0;         // none where there is no such pass
    int step[most]{};      // in order; the first and the last are the products
    int rows[most]{};      // the axis of each along the rows

    constexpr int first() const { return step[0]; }
    constexpr int last() const { return step[count - 1]; }
    constexpr bool has(int s) const {
        for (int i = 0; i < count; ++i)
            if (step[i] == s) return true;
        return false;
    }
    /// Whether `s` stands between them, and waits for all rows.
    constexpr bool waits(int s) const { return count > 0 && s > first() && s < last() && !has(s); }
};

/// Finds the first such pass.
class one_pass_search {
public:
    constexpr explicit one_pass_search(const plan_view& plan) : p_(plan) {}

    constexpr one_pass run() {
        // Programs of many steps, as loops that are written out, are not searched to their end: compilers take their time for each look.
        constexpr int most_steps_between = 24, most_looks = 8;
        int looks = 0;
        for (int a = 0; a < p_.step_count; ++a)
            for (int c = a + 1; is_product(a) && c < p_.step_count && c - a <= most_steps_between; ++c) {
                if (!is_product(c) || !is_transposed(a, c)) continue;
                if (join(a, c)) return found_;
                if (++looks == most_looks) return {};
            }
        return {};
    }

private:
    // How the steps of the pass, and those that wait, see a buffer: along which of its axes the rows lie, -1 where each block sees all of it.
    struct use {
        int buffer, rows;
        bool writes, waits;
    };
    const plan_view& p_;
    one_pass found_;
    vec<use> uses_;

    constexpr bool is_product(int i) const {
        const step& s = p_.steps[i];
        return s.what == step_kind::product && s.batch == 0 && !has_epilogue(s) && (s.type == element::float32 || s.type == element::float64) &&
               p_.buffers[p_.slot(i, 0).buffer].type == s.type;
    }
    constexpr bool is_transposed(int a, int c) const {
        const access &x = p_.slot(a, 0), &y = p_.slot(c, 0);
        return p_.steps[a].vector == p_.steps[c].vector && x.buffer == y.buffer && x.layout == y.layout && x.window == y.window && x.axis.at[0] >= 0 && x.axis.at[1] >= 0 && x.axis.at[0] == y.axis.at[1] &&
               x.axis.at[1] == y.axis.at[0] && p_.steps[a].extent[0] == p_.steps[c].extent[1];
    }

    /// The axis of its buffer along which a slot moves with loop axis `axis`; another shape of the buffer counts as all of it.
    static constexpr int rows_of(const access& a, int axis) { return axis < 0 || a.layout >= 0 || a.window >= 0 ? -1 : a.axis.at[axis]; }

    /// Whether a step that sees `mine` may run a block of rows at a time with those before it, or, where it `waits`, behind all of them.
    constexpr bool agrees(const use& mine) const {
        for (const use& other : uses_) {
            if (other.buffer != mine.buffer || (!other.writes && !mine.writes)) continue;
            // What waits runs later than it stands: nothing that does not wait depends on it.
            if (other.waits && !mine.waits) return false;
            if (!other.waits && !mine.waits && (mine.rows < 0 || mine.rows != other.rows)) return false;
        }
        return true;
    }

    /// Takes step `i` up, or one that waits. `rows_at(slot)` is the axis of the slot along the rows; -2 leaves the slot for later.
    template <class F> constexpr bool take(int i, bool waits, const F& rows_at) {
        const int before = uses_.size();
        bool fits = true;
        each_use(p_, i, [&](int slot, bool writes) {
            const access& a = p_.slot(i, slot);
            const int axis = rows_at(slot);
            if (axis < -1 || p_.buffers[a.buffer].what == buffer_kind::number) return;
            const use mine{a.buffer, waits ? -1 : rows_of(a, axis), writes, waits};
            fits = fits && agrees(mine);
            if (fits) uses_.push(mine);
        });
        while (!fits && uses_.size() > before) uses_.pop();
        return fits;
    }

    constexpr bool join(int a, int c) {
        found_ = {};
        uses_.clear();
        if (has_kernel(p_.steps[a]) || !take(a, false, [](int slot) { return slot == 1 ? -1 : 0; })) return false;
        add(a, 0);
        for (int i = a + 1; i < c; ++i)
            if (!take_rows(i, p_.steps[a].extent[0])) (void)take(i, true, [](int) { return -1; });
        // What it adds to is read and stored behind all others.
        if (!take(c, false, [](int slot) { return slot == 0 ? 1 : slot == 1 ? 0 : -2; })) return false;
        add(c, 1);
        return true;
    }
    static constexpr bool has_kernel(const step& s) { return s.alpha_computed || s.beta_computed; }
    constexpr void add(int step, int rows) {
        found_.step[found_.count] = step;
        found_.rows[found_.count++] = rows;
    }

    /// Takes up a loop whose iterations along the rows know of each other only by sums.
    constexpr bool take_rows(int i, size_ref rows) {
        const step& s = p_.steps[i];
        if (s.what != step_kind::kernel || s.together != 1 || found_.count + 1 >= one_pass::most) return false;
        for (int axis = 0; axis < s.outer + s.inner; ++axis) {
            if (s.extent[axis] != rows || !runs_in_parts(p_, i, axis, true) || !take(i, false, [&](int) { return axis; })) continue;
            add(i, axis);
            return true;
        }
        return false;
    }
};

/// A slot that sums over the rows, of float or double.
struct sum_slot {
    element type = element::float32;
    int axes = 0;             // of its loop
    bool moves[max_rank]{};   // along which it does not
    std::int64_t bytes = 0;   // of a number

    /// Calls f with a null pointer of its type.
    template <class F> void visit(F&& f) const {
        if (type == element::float32) f(static_cast<float*>(nullptr));
        else f(static_cast<double*>(nullptr));
    }
};

/// Calls f(step, slot, index, sum_slot) for each slot of a pass that sums over the rows.
template <class F> constexpr void each_row_sum(const plan_view& p, const one_pass& pass, F&& f) {
    int index = 0;
    for (int j = 1; j + 1 < pass.count; ++j) {
        const step& s = p.steps[pass.step[j]];
        for (int k = s.instruction_from; k < s.instruction_from + s.instruction_count; ++k) {
            const instruction& each = p.instructions[k];
            if (each.what != code_of::accumulate) continue;
            const access& a = p.slot(pass.step[j], each.slot);
            if (a.axis.at[pass.rows[j]] >= 0) continue;
            sum_slot at{each.type, s.outer + s.inner, {}, static_cast<std::int64_t>(size_of(each.type))};
            for (int i = 0; i < at.axes; ++i) at.moves[i] = a.axis.at[i] >= 0;
            f(pass.step[j], each.slot, index++, at);
        }
    }
}

/// Whether a pass is of vectors, and what stands between its products are loops along the rows and nothing else: then it is worth it of a few rows at a time.
constexpr bool is_of_lines(const plan_view& p, const one_pass& pass) {
    if (pass.count == 0 || !p.steps[pass.first()].vector) return false;
    for (int j = 1; j + 1 < pass.count; ++j) {
        const step& s = p.steps[pass.step[j]];
        if (s.outer != 0 || s.inner != 1 || s.phases != 1) return false;
        for (int k = s.instruction_from; k < s.instruction_from + s.instruction_count; ++k) {
            const instruction& i = p.instructions[k];
            const bool of_elements = i.block == 2, writes = i.what == code_of::store || i.what == code_of::accumulate;
            if (i.block != 0 && !of_elements) return false;
            if (i.what == code_of::gather || i.what == code_of::arange || (writes && !of_elements) || (i.what == code_of::accumulate && !i.fixed)) return false;
        }
    }
    return true;
}

/// Numbers what only the steps of a pass of lines write and read, row by row, by the slots that see it.
constexpr void number_locals(const plan_view& p, const one_pass& pass, int* number_of_slot) {
    const auto is_line = [&](int step, int slot) {
        const access& a = p.slot(step, slot);
        const bool along = step == pass.first() ? slot == 2 : step == pass.last() ? slot == 1 : true;
        return pass.has(step) && along && a.axis.at[0] >= 0 && a.layout < 0 && a.window < 0;
    };
    int count = 0;
    for (int b = 0; b < p.buffer_count; ++b) {
        bool here = p.buffers[b].what == buffer_kind::temporary, seen = false;
        const auto each = [&](auto&& f) {
            for (int i = 0; i < p.step_count; ++i)
                for (int k = 0; k < p.steps[i].slot_count; ++k)
                    if (p.slot(i, k).buffer == b) f(i, k);
        };
        each([&](int i, int k) { here = here && is_line(i, k), seen = true; });
        if (!here || !seen) continue;
        each([&](int i, int k) { number_of_slot[p.steps[i].slot_from + k] = count; });
        ++count;
    }
}

constexpr one_pass find_one_pass(const plan_view& p) { return one_pass_search(p).run(); }

}  // namespace croton::inline v0_1::detail

#endif
