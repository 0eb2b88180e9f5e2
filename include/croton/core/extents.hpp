// SPDX-License-Identifier: MIT
// How the extent of an axis is declared: a number, a name, or left to the call.
#ifndef CROTON_CORE_EXTENTS_HPP
#define CROTON_CORE_EXTENTS_HPP

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1 {

/// The extent of one axis in a declaration: a number is itself, everything else is negative.
/// An integer and not a class, because nvcc cannot pass class-type template values through its host pass.
using extent_code = std::int64_t;

/// An extent that only the call knows.
inline constexpr extent_code dynamic = -1;

/// The highest rank of an array or an expression.
inline constexpr int max_rank = 8;

namespace detail {

inline constexpr int name_length_limit = 10;
// Names are below every number that somebody might write for a size.
inline constexpr extent_code first_name = -(extent_code{1} << 62);
inline constexpr char name_letters[] = "\0abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// What `dim` gives for text that is no name: what is declared with it says so. No name has a letter of number 0.
inline constexpr extent_code no_name = first_name - 64;

}  // namespace detail

/// A named extent: axes with equal names have equal sizes. 1 to 10 letters, digits or underscores.
template <std::size_t N> consteval extent_code dim(const char (&name)[N]) {
    if (N < 2 || N - 1 > detail::name_length_limit) return detail::no_name;
    std::int64_t packed = 0;
    for (std::size_t i = 0; i + 1 < N; ++i) {
        int digit = 1;
        while (digit < 64 && detail::name_letters[digit] != name[i]) ++digit;
        if (digit == 64) return detail::no_name;
        packed = packed * 64 + digit;
    }
    return detail::first_name - packed;
}

constexpr bool is_static(extent_code e) { return e >= 0; }
constexpr bool is_named(extent_code e) { return e < detail::first_name; }
/// Whether a number stands for an extent; other negative numbers do not.
constexpr bool is_extent(extent_code e) { return e >= dynamic || is_named(e); }

namespace detail {

/// Writes the name that `dim` packed to `out` (room for 10 characters); returns its length.
constexpr int unpack_name(extent_code e, char* out) {
    std::int64_t packed = is_named(e) ? first_name - e : 0;
    int length = 0;
    for (std::int64_t p = packed; p != 0; p /= 64) ++length;
    for (int i = length; i-- > 0; packed /= 64) out[i] = name_letters[packed % 64];
    return length;
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
