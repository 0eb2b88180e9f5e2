// SPDX-License-Identifier: MIT
// The gradient of an array of which only some parts were read: where indices led, and what belongs there.
#ifndef CROTON_OPTIM_TOUCHED_HPP
#define CROTON_OPTIM_TOUCHED_HPP

#include <croton/graph/structure/sort.hpp>
#include <croton/ops/scatter.hpp>

namespace croton::inline v0_1::detail {

/// What is left of a gradient where it is not 0: values along an axis, at the places that indices name.
struct touched_parts {
    int axis = -1, indices = -1, values = -1;

    /// Of an array that is read by `take` along one axis and in no other way; false where the gradient is another.
    constexpr bool collect(arena& g, int gradient) {
        using namespace structure;
        const node n = g[gradient];
        if (g.is<op::add>(gradient)) return collect(g, n.in[0]) && collect(g, n.in[1]);
        if (n.what != tag<scatter> || scatter::puts(n) || scatter::is_aligned(n)) return false;
        if (const int base = n.in[0]; g[base].what != tag<broadcast> || !g.is_literal(g[base].in[0], 0)) return false;
        const int along = kernel::axis_of(n.bits);
        if (axis >= 0 && axis != along) return false;
        axis = along;
        const auto counted = [&](int i) { return cast::of(g, element::int64, i); };
        indices = indices < 0 ? n.in[1] : concatenate::of(g, 0, counted(indices), counted(n.in[1]));
        values = values < 0 ? n.in[2] : concatenate::of(g, axis, values, n.in[2]);
        return true;
    }

    /// Where several indices lead to one place each of them gets the sum of their values.
    template <class G> constexpr void add_up(G& g, size_ref extent) {
        using namespace structure;
        if (g.find(g[indices].shape[0]) == 1) return;
        const term last = term{&g, g.size(element::int64, extent)} - term{&g, g.literal(element::int64, 1)};
        const int place = g.apply(code<op::clip>, from_front(g, indices, extent), g.literal(element::int64, 0), last.id);
        // Equal ones share the number of the first among them in order.
        const int number = searchsorted::of(g, 0, sort::of(g, 0, place), place);
        const int sums = scatter::of(g, broadcast::of(g, g.literal(g[values].type, 0), g[values].shape), number, values, axis, false, false);
        values = gather::of(g, sums, number, axis, false);
    }

    /// The part of an array, or of one that is kept beside it and has its extents.
    constexpr int of(arena& g, int array) const { return structure::gather::of(g, array, indices, axis, false); }
    constexpr int put(arena& g, int array, int part) const { return structure::scatter::of(g, array, indices, part, axis, true, false); }
};

/// What is kept beside an array has its extents.
constexpr void tie_extents(arena& g, int array, int beside) {
    for (int i = 0; i < g[array].shape.rank; ++i) {
        const size_ref a = g[array].shape[i], b = g[beside].shape[i];
        if (g.unify(a, b, tie::update) || g.failed()) continue;
        g.error << "update: ";
        g.say_extents(array, a, beside, b, i, false);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
