// SPDX-License-Identifier: MIT
// Copies that need not run: where both arrays fit in one memory, what is read or written through the copy has the strides of that memory.
#ifndef CROTON_PLAN_NEEDLESS_COPIES_HPP
#define CROTON_PLAN_NEEDLESS_COPIES_HPP

#include <croton/plan/roles.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail {

/// A step that copies each element of one temporary to another and does nothing else: which slots of the plan they are, and what may be done instead where
/// strides allow it.
struct plain_copy {
    int from = -1, to = -1;
    bool written_there = false;  // the source is computed where the target lies
    bool read_there = false;     // the target is read where the source lies

    constexpr explicit operator bool() const { return written_there || read_there; }
};

/// Whether all that use `buffer`, but for slot `own` of the plan, take it from any memory: `takes(what the step is, whether it writes)`.
template <class Takes> constexpr bool moves(const plan_view& p, int buffer, int own, const Takes& takes) {
    bool all = true;
    for (int i = 0; i < p.step_count; ++i)
        each_use(p, i, [&](int slot, bool writes) {
            const access& a = p.slot(i, slot);
            if (a.buffer != buffer || p.steps[i].slot_from + slot == own) return;
            all = all && p.steps[i].together == 1 && !p.steps[i].closes && a.gathered < 0 && takes(p.steps[i].what, writes);
        });
    return all;
}

constexpr plain_copy plain_copy_of(const plan_view& p, int index) {
    const step& s = p.steps[index];
    if (s.what != step_kind::kernel || s.together != 1 || s.closes || s.phases != 1) return {};
    plain_copy c;
    for (int i = s.instruction_from; i < s.instruction_from + s.instruction_count; ++i) {
        const instruction& each = p.instructions[i];
        const bool reads = each.what == code_of::load, writes = each.what == code_of::store, passes = each.what == code_of::apply && each.fn == code<op::copy>;
        if ((!reads && !writes && !passes) || (reads && c.from >= 0) || (writes && c.to >= 0)) return {};
        if (reads) c.from = s.slot_from + each.slot;
        if (writes) c.to = s.slot_from + each.slot;
    }
    if (c.from < 0 || c.to < 0) return {};
    const access &from = p.slots[c.from], &to = p.slots[c.to];
    const buffer_facts &source = p.buffers[from.buffer], &target = p.buffers[to.buffer];
    if (from.buffer == to.buffer || source.type != target.type || source.what != buffer_kind::temporary || target.what != buffer_kind::temporary) return {};
    for (int axis = 0; axis < s.outer + s.inner; ++axis)
        if (from.axis.at[axis] < 0 || to.axis.at[axis] < 0) return {};
    c.written_there = source.last == index && from.window < 0 &&
                      moves(p, from.buffer, c.from, [](step_kind what, bool) { return what == step_kind::product || what == step_kind::kernel; });
    // Products only: loops take rows that lie side by side as one, those of a part of an array one by one.
    c.read_there = target.first == index && to.window < 0 && moves(p, to.buffer, c.to, [](step_kind what, bool writes) { return what == step_kind::product && !writes; });
    return c;
}

/// Row-major strides of `to` for elements that lie as `stride` has them of `from`, an array of as many and not of none; false where no strides say so.
inline bool reshape_strides(const shape& from, const std::int64_t* stride, const shape& to, const std::int64_t* values, std::int64_t* out) {
    // Runs of axes, of one and of the other, that have as many elements.
    int i = 0, k = 0;
    std::int64_t inner = 1;
    while (k < to.rank) {
        std::int64_t wanted = size_value(to[k], values), there = 1;
        const int first_i = i, first_k = k++;
        while (wanted != there) {
            if (there < wanted ? i == from.rank : k == to.rank) return false;
            if (there < wanted) there *= size_value(from[i++], values);
            else wanted *= size_value(to[k++], values);
        }
        // The axes of a run lie as one.
        std::int64_t last = inner, reach = 0;
        for (int axis = i; axis-- > first_i;) {
            const std::int64_t extent = size_value(from[axis], values);
            if (extent == 1) continue;
            if (reach == 0) last = stride[axis];
            else if (stride[axis] != reach) return false;
            reach = stride[axis] * extent;
        }
        for (int axis = k; axis-- > first_k;) {
            out[axis] = last;
            last *= size_value(to[axis], values);
        }
    }
    return true;
}

/// Which copies are left out for some sizes, and what lies in other memory than its own because of them.
class needless_copies {
public:
    /// The memory of another slot in which an array lies, and its strides there.
    struct place {
        int slot = -1;  // none: it has its own
        std::int64_t stride[max_rank]{};
    };
    /// The steps that use the memory of an array.
    struct span {
        int first = -1, last = -1;
    };

    /// Finds them, if there are to be `any`; `places` and `spans` have room for the buffers of the plan, and `left_out` for its steps.
    static void find(const plan_view& p, const std::int64_t* sizes, bool any, place* places, span* spans, bool* left_out) {
        needless_copies search{p, sizes, places, spans, left_out};
        for (int b = 0; b < p.buffer_count; ++b) {
            places[b] = {};
            spans[b] = {p.buffers[b].first, p.buffers[b].last};
        }
        std::fill_n(left_out, p.step_count, false);
        if (!any) return;
        // What is copied last is placed first, so that what is copied to it finds where it lies.
        for (int s = p.step_count; s-- > 0;)
            if (const plain_copy c = plain_copy_of(p, s); c.written_there) search.write_there(s, c);
        for (int s = 0; s < p.step_count; ++s)
            if (const plain_copy c = plain_copy_of(p, s); c.read_there && !left_out[s]) search.read_there(s, c);
    }

    /// The strides of slot `i` along the axes of its step, and the elements from the beginning of its memory to its first one; false where a reshape has none.
    static bool seen(const plan_view& p, int i, const std::int64_t* sizes, const place* places, std::int64_t* along, std::int64_t& offset) {
        const access& a = p.slots[i];
        const shape& own = p.buffers[a.buffer].shape;
        const shape& as = a.layout >= 0 ? p.layouts[a.layout] : own;
        std::int64_t stride[max_rank] = {};
        if (places == nullptr || places[a.buffer].slot < 0) row_major(as, sizes, stride);
        else if (a.layout < 0) std::copy_n(places[a.buffer].stride, max_rank, stride);
        else if (!reshape_strides(own, places[a.buffer].stride, as, sizes, stride)) return false;
        offset = a.window < 0 ? 0 : enter_windows(p, a.window, as, sizes, stride);
        for (int k = 0; k < max_rank; ++k) along[k] = a.axis.at[k] < 0 ? 0 : stride[a.axis.at[k]];
        return true;
    }

private:
    const plan_view& p_;
    const std::int64_t* sizes_;
    place* places_;
    span* spans_;
    bool* left_out_;

    needless_copies(const plan_view& p, const std::int64_t* sizes, place* places, span* spans, bool* left_out)
        : p_(p), sizes_(sizes), places_(places), spans_(spans), left_out_(left_out) {}

    /// The buffer in whose memory another one lies.
    int memory_of(int buffer) const {
        while (places_[buffer].slot >= 0) buffer = p_.slots[places_[buffer].slot].buffer;
        return buffer;
    }

    /// The copy's source is computed where its target is to lie.
    void write_there(int step, const plain_copy& c) {
        const int source = p_.slots[c.from].buffer;
        const int first = p_.buffers[source].first;
        // With the loop that may be the end of a product, the step before writes there as well.
        if (!is_free(c.to, first - 1, step) || !put(source, c.to, c.from)) return;
        span& there = spans_[memory_of(source)];
        there.first = std::min(there.first, first);
        left_out_[step] = true;
    }

    /// What reads the copy's target reads the source.
    void read_there(int step, const plain_copy& c) {
        const int source = p_.slots[c.from].buffer, target = p_.slots[c.to].buffer;
        const int memory = memory_of(source), last = p_.buffers[target].last;
        if (places_[target].slot >= 0) return;
        bool changes = false;
        for (int s = step + 1; s < p_.step_count && s <= last + 1; ++s)
            each_use(p_, s, [&](int slot, bool writes) { changes = changes || (writes && memory_of(p_.slot(s, slot).buffer) == memory); });
        if (changes || !put(target, c.from, c.to)) return;
        spans_[memory].last = std::max(spans_[memory].last, last);
        left_out_[step] = true;
    }

    /// Whether nothing else uses, from step `first` until `step`, the part of the memory that slot `to` of `step` sees.
    bool is_free(int to, int first, int step) const {
        for (int slot = to; slot >= 0; slot = places_[p_.slots[slot].buffer].slot)
            for (int s = std::max(first, 0); s < step; ++s)
                for (int i = p_.steps[s].slot_from; i < p_.steps[s].slot_from + p_.steps[s].slot_count; ++i)
                    if (p_.slots[i].buffer == p_.slots[slot].buffer && !(p_.steps[s].what == step_kind::kernel && are_apart(i, s, slot, step_of(slot)))) return false;
        return true;
    }
    int step_of(int slot) const {
        int s = 0;
        while (slot < p_.steps[s].slot_from || slot >= p_.steps[s].slot_from + p_.steps[s].slot_count) ++s;
        return s;
    }

    /// Whether two loops see parts of a buffer that have no element in common.
    bool are_apart(int i, int of_i, int k, int of_k) const {
        const access &x = p_.slots[i], &y = p_.slots[k];
        if (x.layout != y.layout || x.gathered >= 0 || y.gathered >= 0) return false;
        std::int64_t low[2][max_rank] = {}, high[2][max_rank] = {};
        bounds(x, of_i, low[0], high[0]);
        bounds(y, of_k, low[1], high[1]);
        for (int axis = 0; axis < max_rank; ++axis)
            if (high[0][axis] < low[1][axis] || high[1][axis] < low[0][axis]) return true;
        return false;
    }
    /// The first and the last index of a buffer along each of its axes that a loop sees.
    void bounds(const access& a, int step, std::int64_t* low, std::int64_t* high) const {
        std::int64_t apart[max_rank];
        std::fill_n(apart, max_rank, std::int64_t{1});
        for (int w = a.window; w >= 0; w = p_.windows[w].next) {
            low[p_.windows[w].axis] += apart[p_.windows[w].axis] * size_value(p_.windows[w].start, sizes_);
            apart[p_.windows[w].axis] *= p_.windows[w].step;
        }
        std::copy_n(low, max_rank, high);
        for (int k = 0; k < p_.steps[step].outer + p_.steps[step].inner; ++k)
            if (const int axis = a.axis.at[k]; axis >= 0) high[axis] += apart[axis] * (size_value(p_.steps[step].extent[k], sizes_) - 1);
        for (int axis = 0; axis < max_rank; ++axis)
            if (high[axis] < low[axis]) std::swap(low[axis], high[axis]);
    }

    /// Gives `buffer`, which the copy sees by slot `own`, a place in the memory of slot `there`, if strides say how all see it there that use it besides.
    bool put(int buffer, int there, int own) {
        const shape& s = p_.buffers[buffer].shape;
        if (element_count(s, sizes_) == 0) return false;
        std::int64_t along[max_rank], offset = 0;
        if (!seen(p_, there, sizes_, places_, along, offset)) return false;
        const access& a = p_.slots[own];
        const shape& as = a.layout >= 0 ? p_.layouts[a.layout] : s;
        std::int64_t stride[max_rank] = {};
        unsigned known = 0;
        for (int k = 0; k < max_rank; ++k)
            if (a.axis.at[k] >= 0) {
                if ((known >> a.axis.at[k] & 1u) != 0) return false;
                known |= 1u << a.axis.at[k];
                stride[a.axis.at[k]] = along[k];
            }
        for (int axis = 0; axis < as.rank; ++axis)
            if ((known >> axis & 1u) == 0 && size_value(as[axis], sizes_) != 1) return false;
        place now{there, {}};
        if (a.layout < 0) std::copy_n(stride, max_rank, now.stride);
        else if (!reshape_strides(as, stride, s, sizes_, now.stride)) return false;
        places_[buffer] = now;
        bool fits = s.rank > 0;
        for (int i = 0; i < p_.step_count; ++i)
            for (int k = p_.steps[i].slot_from; fits && k < p_.steps[i].slot_from + p_.steps[i].slot_count; ++k) {
                if (p_.slots[k].buffer != buffer || k == own) continue;
                // What lies side by side stays so for loops; matrices lie by rows or by columns.
                fits = seen(p_, k, sizes_, places_, along, offset) &&
                       (p_.steps[i].what == step_kind::product ? along[0] == 1 || along[1] == 1 : now.stride[s.rank - 1] == 1);
            }
        if (!fits) places_[buffer] = {};
        return fits;
    }
};

/// Whether a plan has such a copy.
constexpr bool has_plain_copies(const plan_view& p) {
    for (int s = 0; s < p.step_count; ++s)
        if (plain_copy_of(p, s)) return true;
    return false;
}

}  // namespace croton::inline v0_1::detail

#endif
