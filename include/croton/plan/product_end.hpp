// SPDX-License-Identifier: MIT
// The loop behind a product that can run on each block of the result while that is still in cache.
#ifndef CROTON_PLAN_PRODUCT_END_HPP
#define CROTON_PLAN_PRODUCT_END_HPP

#include <croton/plan/roles.hpp>

namespace croton::inline v0_1::detail {

/// The step behind a product `[m,n]` that reads it as it is, and which of its axes are the rows and the columns.
struct product_end {
    int loop = -1;             // none
    int rows = 0, columns = 0;
    int batch = 0;             // axes along which the product is repeated with one second factor, so that its matrices may be the rows of one,
    int along[max_rank]{};     // and those of the step behind it
    bool by_columns = false;   // else it needs whole rows, as a softmax does
    bool turned = false;       // the first factor lies by columns
    int place = -1;            // a slot of the loop whose memory has room for the product until the loop stores there; else the product has memory of its own

    /// Whether the product is computed there. One of few elements is in cache in any memory.
    constexpr bool is_placed(std::int64_t elements, element type) const { return place >= 0 && elements * static_cast<std::int64_t>(size_of(type)) >= 64 * 1024; }
};

/// The slot of an elementwise loop that stores where nobody has anything before, or -1.
constexpr int place_of_product(const plan_view& p, int index, const product_end& end) {
    const access& c = p.slot(index, 2);
    const buffer_facts& product = p.buffers[c.buffer];
    const step& loop = p.steps[end.loop];
    if (!end.by_columns || loop.outer + loop.inner != 2 + end.batch || product.what != buffer_kind::temporary || product.first != index || product.last != end.loop) return -1;
    int found = -1;
    each_use(p, end.loop, [&](int slot, bool writes) {
        const access& a = p.slot(end.loop, slot);
        const buffer_facts& b = p.buffers[a.buffer];
        const bool new_there = b.what == buffer_kind::output || (b.what == buffer_kind::temporary && b.first == end.loop);
        bool all = a.axis.at[end.rows] >= 0 && a.axis.at[end.columns] >= 0;
        for (int k = 0; k < end.batch; ++k) all = all && a.axis.at[end.along[k]] >= 0;
        if (writes && new_there && b.type == product.type && a.layout < 0 && a.window < 0 && all) found = slot;
    });
    // An output that was written before, as one that is computed in parts, is read or written by other steps as well.
    for (int i = 0; found >= 0 && i <= end.loop; ++i)
        each_use(p, i, [&](int slot, bool writes) {
            if (p.slot(i, slot).buffer == p.slot(end.loop, found).buffer && (i != end.loop || !writes)) found = found < 0 ? found : -2;
        });
    return found < 0 ? -1 : found;
}

/// The end of the product that step `index` may be. What is behind that writes nothing that the product reads, and looks at no element of the result from
/// another one's place.
constexpr product_end end_of_product(const plan_view& p, int index) {
    const step& s = p.steps[index];
    if (s.what != step_kind::product || s.vector || has_epilogue(s) || (s.type != element::float32 && s.type != element::float64) ||
        index + 1 >= p.step_count)
        return {};
    const step& loop = p.steps[index + 1];
    const access& c = p.slot(index, 2);
    if (loop.what != step_kind::kernel || loop.together != 1 || c.layout >= 0 || c.window >= 0 || c.axis.at[0] < 0 || c.axis.at[1] < 0) return {};

    product_end end;
    end.batch = s.batch;
    end.turned = p.slot(index, 0).axis.at[0] > p.slot(index, 0).axis.at[1];
    for (int k = 0; k < s.batch; ++k)
        if (p.slot(index, 1).axis.at[2 + k] >= 0 || c.axis.at[2 + k] < 0) return {};
    // The axis of the loop that is axis `of` of the product, or -1.
    const auto axis_along = [&](const access& a, int of) {
        int found = -1;
        for (int axis = 0; axis < loop.outer + loop.inner; ++axis)
            if (a.axis.at[axis] == c.axis.at[of]) found = axis;
        return found;
    };
    bool reads = false, fits = true;
    each_use(p, index + 1, [&](int slot, bool writes) {
        const access& a = p.slot(index + 1, slot);
        for (int k = 0; k < 2; ++k) fits = fits && !(writes && p.slot(index, k).buffer == a.buffer);
        if (a.buffer != c.buffer) return;
        fits = fits && a.layout < 0 && a.window < 0 && a.gathered < 0;
        const auto same = [&](int& at, int of) {
            const int found = axis_along(a, of);
            fits = fits && found >= 0 && (!reads || found == at);
            at = found;
        };
        same(end.rows, 0);
        same(end.columns, 1);
        for (int k = 0; k < s.batch; ++k) same(end.along[k], 2 + k);
        reads = true;
    });
    if (!fits || !reads || loop.extent[end.rows] != s.extent[0] || loop.extent[end.columns] != s.extent[2] || !runs_in_parts(p, index + 1, end.rows, false)) return {};
    for (int k = 0; k < s.batch; ++k)
        if (loop.extent[end.along[k]] != s.extent[matrix_extents + k] || !runs_in_parts(p, index + 1, end.along[k], false)) return {};
    end.loop = index + 1;
    end.by_columns = runs_in_parts(p, index + 1, end.columns, false);
    end.place = place_of_product(p, index, end);
    return end;
}

}  // namespace croton::inline v0_1::detail

#endif
