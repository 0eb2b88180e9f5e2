// SPDX-License-Identifier: MIT
// The indices that pick a part of an array: slices as in Python, `none`, `ellipsis`, whole numbers.
#ifndef CROTON_CORE_SLICE_HPP
#define CROTON_CORE_SLICE_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <croton/core/extents.hpp>
#include <croton/core/none.hpp>
#include <croton/core/type_list.hpp>
#include <croton/core/wrong.hpp>

namespace croton::inline v0_1 {

/// As many whole axes as are not named: `x(ellipsis, 0)`.
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

/// One end of a slice: a position, counted from the end where it is negative, or `none`.
struct slice_end {
    std::int64_t at = 0;
    bool given = false;

    constexpr slice_end(none_t) {}
    template <std::integral I> constexpr slice_end(I position) : at(bounded(position)), given(true) {}

    /// Further out than any array reaches, and still a number to count with.
    static constexpr std::int64_t furthest = std::int64_t{1} << 62;
    template <std::integral I> static constexpr std::int64_t bounded(I position) {
        if constexpr (sizeof(I) < sizeof(std::int64_t)) return static_cast<std::int64_t>(position);
        else if (position > static_cast<I>(furthest)) return furthest;
        else if constexpr (std::is_signed_v<I>) return position < -furthest ? -furthest : position;
        else return static_cast<std::int64_t>(position);
    }
};

/// Some of the indices of an axis, as in Python: `slice()` all, `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
/// Negative positions count from the end, those that lie outside are brought in, and a negative step walks backwards.
struct slice {
    slice_end start = none, stop = none;
    std::int64_t step = 1;

    constexpr slice() = default;
    constexpr explicit slice(slice_end last) : stop(last) {}
    constexpr slice(slice_end first, slice_end last) : start(first), stop(last) {}
    template <std::integral I>
    constexpr slice(slice_end first, slice_end last, I by) : start(first), stop(last), step(slice_end::bounded(by)) {}
    constexpr slice(slice_end first, slice_end last, none_t) : start(first), stop(last) {}
    template <class... X> requires (sizeof...(X) > 3 || !(std::is_convertible_v<X, slice_end> && ...))
    constexpr explicit slice(X...) noexcept(no_slice<X...>()) {}

private:
    template <class... X> static constexpr bool no_slice() {
        static_assert(sizeof...(X) > 99, "croton: a slice has a stop, a start and a stop, or a step behind both, whole numbers or none, as in slice(none, none, -1)");
        return detail::sentence_stands<detail::type_list<X...>>();
    }
};

namespace detail {

template <class I> inline constexpr bool is_position = std::integral<I> && !std::same_as<I, bool>;
template <class I>
concept whole_number = is_position<I>;

/// What picks a part along one axis, or stands for several.
template <class I>
concept index = is_position<std::remove_cvref_t<I>> || std::same_as<std::remove_cvref_t<I>, slice> ||
                std::same_as<std::remove_cvref_t<I>, ellipsis_t> || std::same_as<std::remove_cvref_t<I>, none_t>;

/// The axes that indices name, those that they drop, and those that `none` brings new.
template <class... I> inline constexpr int axes_named = (0 + ... + (!std::same_as<std::remove_cvref_t<I>, ellipsis_t> && !std::same_as<std::remove_cvref_t<I>, none_t> ? 1 : 0));
template <class... I> inline constexpr int axes_dropped = (0 + ... + (is_position<std::remove_cvref_t<I>> ? 1 : 0));
template <class... I> inline constexpr int axes_brought = (0 + ... + (std::same_as<std::remove_cvref_t<I>, none_t> ? 1 : 0));
template <class... I> inline constexpr int ellipses = (0 + ... + (std::same_as<std::remove_cvref_t<I>, ellipsis_t> ? 1 : 0));

/// Whether an array of `Rank` axes takes these indices.
template <int Rank, class... I> inline constexpr bool indices_fit = axes_named<I...> <= Rank && ellipses<I...> <= 1;

/// The axes of the part.
template <int Rank, class... I> inline constexpr int rank_of_part = Rank - axes_dropped<I...> + axes_brought<I...>;

/// The indices of an axis that a slice takes: `count` of them from `start` on, `step` apart.
struct picked {
    std::int64_t start = 0, count = 0, step = 1;
};

/// How numbers stand for extents in `pick`; what is not known while compiling stands for them in its own way.
struct plain_extents {
    static constexpr std::int64_t difference(std::int64_t a, std::int64_t b) { return a > b ? a - b : 0; }
    static constexpr std::int64_t minimum(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
    static constexpr std::int64_t rounded_up(std::int64_t a, std::int64_t b) { return (a - 1) / b + (a > 0 ? 1 : 0); }
};

/// NumPy's rule. `difference` is 0 where it would be negative. A start means nothing where nothing is picked.
template <class Extents> constexpr picked pick(Extents&& e, const slice& s, std::int64_t extent) {
    // The position `at`, as a number of elements from the front; of a walk backwards, those up to and with it.
    const auto from_front = [&](std::int64_t at, std::int64_t with) {
        return at < 0 ? e.difference(extent, -(at + with)) : e.minimum(at + with, extent);
    };
    picked p;
    p.step = s.step;
    if (s.step > 0) {
        const std::int64_t last = s.stop.given ? from_front(s.stop.at, 0) : extent;
        // Where a first position lies outside, nothing is picked, wherever it is.
        p.start = !s.start.given ? 0 : s.start.at < 0 ? from_front(s.start.at, 0) : s.start.at;
        p.count = e.difference(last, p.start);
        if (p.step != 1) p.count = e.rounded_up(p.count, p.step);
    } else {
        const std::int64_t last = s.start.given ? from_front(s.start.at, 1) : extent;
        const std::int64_t first = !s.stop.given ? 0 : s.stop.at < 0 ? from_front(s.stop.at, 1) : s.stop.at + 1;
        p.start = e.difference(last, 1);
        p.count = e.difference(last, first);
        if (p.step != -1) p.count = e.rounded_up(p.count, -p.step);
    }
    return p;
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
