// SPDX-License-Identifier: MIT
// Axes that a program names by their numbers.
#ifndef CROTON_CORE_AXIS_LIST_HPP
#define CROTON_CORE_AXIS_LIST_HPP

namespace croton::inline v0_1::detail {

/// The axes as a mask; none named means all. Negative axes count from the end. `wrong` is an axis that does not exist, or
/// `twice` one that is named twice.
template <int Rank, int... Axes> struct axis_list {
    unsigned mask = 0;
    bool fits = true;
    int wrong = 0;
    bool twice = false;

    constexpr axis_list() {
        if (sizeof...(Axes) == 0) mask = (1u << Rank) - 1;
        (add(Axes), ...);
        if (!fits) mask = 0;
    }
    constexpr void add(int axis) {
        const int i = axis < 0 ? axis + Rank : axis;
        if (!fits) return;
        if (i < 0 || i >= Rank || ((mask >> i) & 1u) != 0) {
            fits = false;
            wrong = axis;
            twice = i >= 0 && i < Rank;
        } else {
            mask |= 1u << i;
        }
    }
};
template <int Rank, int... Axes> inline constexpr bool axes_fit = axis_list<Rank, Axes...>().fits;
/// Whether they are an order of all axes, or none, which stands for the reverse one.
template <int Rank, int... Axes> inline constexpr bool axes_order = sizeof...(Axes) == 0 || (sizeof...(Axes) == Rank && axes_fit<Rank, Axes...>);

}  // namespace croton::inline v0_1::detail

#endif
