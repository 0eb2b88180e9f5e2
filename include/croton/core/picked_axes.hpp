// SPDX-License-Identifier: MIT
// Which axes arrays of indices pick from, among other indices.
#ifndef CROTON_CORE_PICKED_AXES_HPP
#define CROTON_CORE_PICKED_AXES_HPP

#include <concepts>

#include <croton/core/slice.hpp>

namespace croton::inline v0_1::detail {

/// Which axes of the part that the other indices pick are indexed by those that are arrays, from the front.
template <int Rank, class... I> struct indexed_axes {
    static constexpr int count = (0 + ... + (!index<I> ? 1 : 0));
    int axis[count + 1]{};
    int named[count + 1]{};  // of the whole
    int rank = 0;            // of that part

    constexpr indexed_axes() {
        int found = 0, whole = 0;
        ((add<I>(found, whole)), ...);
        if (ellipses<I...> == 0) rank += Rank - axes_named<I...>;
    }
    template <class T> constexpr void add(int& found, int& whole) {
        if constexpr (!index<T>) {
            named[found] = whole++;
            axis[found++] = rank++;
        } else if constexpr (std::same_as<T, ellipsis_t>) {
            rank += Rank - axes_named<I...>;
            whole += Rank - axes_named<I...>;
        } else {
            if constexpr (!is_position<T>) ++rank;
            if constexpr (!std::same_as<T, none_t>) ++whole;
        }
    }
    constexpr bool neighbours() const {
        for (int i = 1; i < count; ++i)
            if (axis[i] != axis[0] + i) return false;
        return true;
    }
};

/// What an array of indices leaves of its axis until it is looked at: all.
template <class I> constexpr auto whole_where_array(const I& i) {
    if constexpr (!index<I>) return croton::slice();
    else return i;
}

/// The rank that the arrays among indices have together.
template <class I> constexpr int rank_of_index() {
    if constexpr (index<I>) return 0;
    else return I::rank;
}
template <class... I> constexpr int largest_rank() {
    int most = 0;
    ((most = rank_of_index<I>() > most ? rank_of_index<I>() : most), ...);
    return most;
}

}  // namespace croton::inline v0_1::detail

#endif
