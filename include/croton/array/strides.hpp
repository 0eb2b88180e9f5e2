// SPDX-License-Identifier: MIT
// Extents and strides of elements in memory: what is checked of them, and how they are walked.
#ifndef CROTON_ARRAY_STRIDES_HPP
#define CROTON_ARRAY_STRIDES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <croton/array/overlap.hpp>
#include <croton/array/part.hpp>
#include <croton/compiler.hpp>
#include <croton/core/axis_list.hpp>
#include <croton/core/error.hpp>
#include <croton/core/message.hpp>

namespace croton::inline v0_1::detail {

/// `[3,4]`
CROTON_PLAIN [[gnu::cold]] std::string shape_text(const std::int64_t* extents, int rank) {
    std::string text;
    for (int i = 0; i < rank; ++i) text += message({i > 0 ? "," : "[", extents[i]});
    return text + (rank > 0 ? "]" : "[]");
}
CROTON_ONCE(shape_text<>)

/// Says of extents that no array has what is wrong with them: axis `negative`, or their product.
CROTON_PLAIN [[noreturn, gnu::cold]] void refuse_extents(const std::int64_t* extents, int rank, int negative) {
    const std::string all = "the extents " + shape_text(extents, rank);
    if (negative < 0) refuse<shape_error>({all, " are more than memory can address"});
    refuse<shape_error>({all, " are not an array's: axis ", negative, " is negative"});
}
CROTON_ONCE(refuse_extents<>)

/// The number of elements; throws `shape_error` for a negative extent or more bytes than a pointer can span.
inline std::int64_t checked_size(const std::int64_t* extents, int rank, std::size_t element_bytes) {
    // Multiplied twice: a division takes as long as all else that is to be done for a small array.
    std::int64_t size = 1, bytes = static_cast<std::int64_t>(element_bytes);
    bool empty = false;
    for (int i = 0; i < rank; ++i) {
        if (extents[i] < 0) refuse_extents(extents, rank, i);
        // An empty axis must not hide an overflow of the others: strides are their product.
        if (extents[i] == 0) empty = true;
        else if (__builtin_mul_overflow(bytes, extents[i], &bytes)) refuse_extents(extents, rank, -1);
        else size *= extents[i];
    }
    return empty ? 0 : size;
}

/// Throws `shape_error` where the elements lie further apart than any memory is large.
CROTON_PLAIN void check_reach(const std::int64_t* extents, const std::int64_t* strides, int rank, std::size_t element_bytes) {
    std::int64_t left = furthest_reach / static_cast<std::int64_t>(element_bytes);
    for (int i = 0; i < rank; ++i) {
        if (extents[i] <= 1) continue;
        const std::int64_t most = left / (extents[i] - 1);
        if (strides[i] > most || strides[i] < -most)
            refuse<shape_error>({"the strides ", shape_text(strides, rank), " of the extents ", shape_text(extents, rank), " reach further than memory can address"});
        left -= (strides[i] < 0 ? -strides[i] : strides[i]) * (extents[i] - 1);
    }
}
CROTON_ONCE(check_reach<>)

template <int Rank> constexpr extents_of<Rank> row_major_strides(const extents_of<Rank>& extents) {
    extents_of<Rank> strides{};
    std::int64_t stride = 1;
    for (int i = Rank; i-- > 0;) {
        const auto axis = static_cast<std::size_t>(i);
        strides[axis] = stride;
        stride *= extents[axis];
    }
    return strides;
}

template <int Rank> constexpr extents_of<Rank> reversed(const extents_of<Rank>& extents) {
    extents_of<Rank> result{};
    auto to = result.end();
    for (auto extent : extents) *--to = extent;
    return result;
}

/// In the order of the axes, or in reverse order where none is named.
template <int Rank, int... Axes> constexpr extents_of<Rank> permuted(const extents_of<Rank>& from) {
    if constexpr (sizeof...(Axes) == 0 || !axes_order<Rank, Axes...>) return reversed<Rank>(from);
    else return {from[static_cast<std::size_t>(Axes < 0 ? Axes + Rank : Axes)]...};
}

/// `visit(to, from)` for each pair of elements in row-major order, until it returns false.
template <int Rank, class T, class U, class Visit>
constexpr bool visit_pairs(const std::int64_t* extents, T* to, const std::int64_t* to_strides, U* from,
                           const std::int64_t* from_strides, Visit&& visit) {
    if constexpr (Rank == 0) {
        return visit(*to, *from);
    } else {
        for (std::int64_t i = 0; i < *extents; ++i) {
            if (!visit_pairs<Rank - 1>(extents + 1, to + i * *to_strides, to_strides + 1, from + i * *from_strides,
                                       from_strides + 1, visit))
                return false;
        }
        return true;
    }
}

/// The strides by which elements of extents `from` are seen as ones of extents `to`, as NumPy does where it assigns: the same for all along axes that they have not,
/// and along those of extent 1. Throws `shape_error` where that cannot be.
template <int Rank, std::size_t Of>
extents_of<Rank> repeated_strides(const extents_of<Rank>& to, const std::array<std::int64_t, Of>& from, const std::array<std::int64_t, Of>& strides) {
    extents_of<Rank> result{};
    for (std::size_t axis = 0; axis < Of; ++axis) {
        const std::size_t into = axis + static_cast<std::size_t>(Rank) - Of;
        if (from[axis] == to[into]) result[into] = strides[axis];
        else if (from[axis] != 1)
            throw shape_error("assign: elements of shape " + shape_text(from.data(), static_cast<int>(Of)) + " do not fit into shape " + shape_text(to.data(), Rank));
    }
    return result;
}

}  // namespace croton::inline v0_1::detail

#endif
