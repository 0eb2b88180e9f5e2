// SPDX-License-Identifier: MIT
// The part of an array that indices pick: where it begins, its extents and its strides.
#ifndef CROTON_ARRAY_PART_HPP
#define CROTON_ARRAY_PART_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <croton/core/error.hpp>
#include <croton/core/slice.hpp>
#include <croton/core/wrong.hpp>

namespace croton::inline v0_1 {

/// The sizes of the axes of an array, outermost first.
template <int Rank> using extents_of = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

namespace detail {

/// An index as a number of elements from the front.
template <std::integral I> constexpr std::int64_t from_front(I i, std::int64_t extent) {
    if constexpr (std::is_signed_v<I>) return i < 0 ? static_cast<std::int64_t>(i) + extent : static_cast<std::int64_t>(i);
    else return static_cast<std::int64_t>(i);
}

/// The number of elements.
template <std::size_t Rank> constexpr std::int64_t count_elements(const std::array<std::int64_t, Rank>& extents) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent;
    return count;
}

/// As `from_front`, of an axis.
template <int Rank> constexpr std::size_t axis_at(int axis) { return static_cast<std::size_t>(axis < 0 ? axis + Rank : axis); }

template <std::integral I> void check_index(I i, int axis, std::int64_t extent) {
    const std::int64_t at = from_front(i, extent);
    if (at < 0 || at >= extent)
        throw std::out_of_range("index " + std::to_string(i) + " is outside axis " + std::to_string(axis) + " of extent " + std::to_string(extent));
}

/// An array or a view among indices, whatever it holds.
template <class I>
concept array_index = !index<I> && requires(const I& i) {
    typename I::value_type;
    I::rank;
    i.extents();
    i.data();
};
template <class I> inline constexpr bool is_mask = false;
template <array_index I> inline constexpr bool is_mask<I> = std::same_as<typename I::value_type, bool>;
template <class I> inline constexpr bool are_indices_outside = true;
template <array_index I> inline constexpr bool are_indices_outside<I> = is_position<typename I::value_type>;

/// An expression on arrays among indices, which is computed first.
template <class I>
concept index_expression = requires { typename I::lazy_graph; };

/// Indices of which one is no number of an element: an array, or what is refused by a sentence.
template <class... I> concept picks_elements = (!index<I> || ...) && !(whole_number<I> && ...);
/// What stands in the place of one index in square brackets.
template <class I> concept no_position = !std::is_convertible_v<const I&, std::int64_t> || std::floating_point<I> || std::same_as<I, bool>;

/// Finds what picks elements by arrays of indices, which stands above.
struct by_places {};

/// Says of indices in braces what they might be.
template <class Of> constexpr wrong_result no_braces() {
    static_assert(sizeof(Of) == 0, "croton: indices in braces say neither an element nor several; an element is x(0, 1), and several are picked by an array, as in x(array<int, 1>{0, 1})");
    return {};
}

/// Whether indices pick a part and not one element.
template <int Rank, class... I> concept names_part = sizeof...(I) > 0 && !(sizeof...(I) == Rank && axes_dropped<I...> == Rank);

template <int Rank, class... I> struct array_part {
    // Before the sentences: behind one clang knows no more members.
    static constexpr bool fits = indices_fit<Rank, I...> && rank_of_part<Rank, I...> <= max_rank;
    static constexpr int rank = fits ? rank_of_part<Rank, I...> : 0;
    /// The axes that `none` brought, as bits.
    static constexpr unsigned new_axes = [] {
        unsigned bits = 0;
        int axis = 0;
        const auto count = [&]<class Index>(const Index*) {
            if constexpr (std::is_same_v<Index, none_t>) bits |= 1u << axis++;
            else if constexpr (std::is_same_v<Index, ellipsis_t>) axis += Rank - axes_named<I...>;
            else axis += std::integral<Index> ? 0 : 1;
        };
        if constexpr (fits) (count(static_cast<const I*>(nullptr)), ...);
        return bits;
    }();
    static_assert(axes_named<I...> <= Rank, "croton: an array takes at most one index for each of its axes");
    static_assert(ellipses<I...> <= 1, "croton: an ellipsis stands for the axes that are left, so that there is at most one");
    static_assert(rank_of_part<Rank, I...> <= max_rank, "croton: the rank of an array is 0 to 8");

    std::int64_t offset = 0;
    extents_of<rank> extents{}, strides{};

    array_part(const extents_of<Rank>& from, const extents_of<Rank>& stride, const I&... i) : from_(from), stride_(stride) {
        if constexpr (fits) {
            (take(i), ...);
            while (axis_ < Rank) keep(from[at(axis_)], stride[at(axis_)]), ++axis_;
        }
        // Where nothing is picked nothing is pointed at either.
        for (const std::int64_t e : extents)
            if (e == 0) offset = 0;
    }

private:
    const extents_of<Rank>& from_;
    const extents_of<Rank>& stride_;
    int axis_ = 0, made_ = 0;

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
    void keep(std::int64_t extent, std::int64_t stride) {
        extents[at(made_)] = extent;
        strides[at(made_++)] = stride;
    }
    template <std::integral P> void take(P position) {
        check_index(position, axis_, from_[at(axis_)]);
        offset += from_front(position, from_[at(axis_)]) * stride_[at(axis_)];
        ++axis_;
    }
    void take(const slice& s) {
        if (s.step == 0) throw shape_error("slice: the step along axis " + std::to_string(axis_) + " is 0");
        const picked p = pick(plain_extents{}, s, from_[at(axis_)]);
        if (p.count > 0) offset += p.start * stride_[at(axis_)];
        // One element needs no step, and a huge step must not overflow.
        keep(p.count, p.count > 1 ? p.step * stride_[at(axis_)] : stride_[at(axis_)]);
        ++axis_;
    }
    void take(none_t) { keep(1, 0); }
    void take(ellipsis_t) {
        for (int left = Rank - axes_named<I...>; left > 0; --left, ++axis_) keep(from_[at(axis_)], stride_[at(axis_)]);
    }
};

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
