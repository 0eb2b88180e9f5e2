// SPDX-License-Identifier: MIT
// Where elements of an array are something, which is known when they have been looked at.
#ifndef CROTON_ARRAY_PLACES_HPP
#define CROTON_ARRAY_PLACES_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <croton/array/array.hpp>

namespace croton::inline v0_1::detail {

/// The places along one axis of a mask where it holds, and how long that axis is.
struct mask_places : array<std::int64_t, 1> {
    std::int64_t extent = 0;
};

/// Calls `visit` with each element in row-major order.
template <class T, int Rank, class Visit> void visit_each(const view<const T, Rank>& x, Visit&& visit) {
    if (x.size() == 0) return;
    visit_pairs<Rank>(x.extents().data(), x.data(), x.strides().data(), x.data(), x.strides().data(), [&](const T& element, const T&) { return visit(element), true; });
}

/// Where `holds` of the elements, in row-major order: the places along each axis.
template <class T, int Rank, class Holds> std::array<mask_places, static_cast<std::size_t>(Rank)> places_where(const view<const T, Rank>& x, Holds&& holds) {
    std::array<mask_places, static_cast<std::size_t>(Rank)> found;
    std::int64_t count = 0, q = 0;
    visit_each(x, [&](const T& element) { count += holds(element) ? 1 : 0; });
    std::int64_t* to[static_cast<std::size_t>(Rank)];
    for (std::size_t axis = 0; axis < found.size(); ++axis) {
        found[axis] = {array<std::int64_t, 1>::uninitialized({count}), x.extents()[axis]};
        to[axis] = found[axis].data();
    }
    extents_of<Rank> at{};
    visit_each(x, [&](const T& element) {
        if (holds(element)) {
            for (std::size_t axis = 0; axis < found.size(); ++axis) to[axis][q] = at[axis];
            ++q;
        }
        for (std::size_t axis = found.size(); axis-- > 0 && ++at[axis] == found[axis].extent && axis > 0;) at[axis] = 0;
    });
    return found;
}

}  // namespace croton::inline v0_1::detail

#endif
