// SPDX-License-Identifier: MIT
// Whole numbers sorted by their digits: as many passes for any order of them.
#ifndef CROTON_DEVICE_CPU_SORT_DIGITS_HPP
#define CROTON_DEVICE_CPU_SORT_DIGITS_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Sorts `n` whole numbers that have signs by their bytes, the lowest first. `other` is for as many.
template <class Key> void sort_digits(Key* keys, Key* other, std::int64_t n) {
    using bits = std::make_unsigned_t<Key>;
    constexpr int digits = sizeof(Key);
    const auto digit = [](Key k, int d) { return (static_cast<bits>(k) ^ bits(1) << (8 * digits - 1)) >> (8 * d) & 255; };
    std::int64_t count[digits][256] = {};
    for (std::int64_t i = 0; i < n; ++i)
        for (int d = 0; d < digits; ++d) ++count[d][digit(keys[i], d)];
    Key *from = keys, *to = other;
    for (int d = 0; d < digits; ++d) {
        std::int64_t* const begin = count[d];
        if (begin[digit(from[0], d)] == n) continue;  // all alike
        std::int64_t next = 0;
        for (int b = 0; b < 256; ++b) {
            const std::int64_t here = begin[b];
            begin[b] = next;
            next += here;
        }
        for (std::int64_t i = 0; i < n; ++i) to[begin[digit(from[i], d)]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys) std::memcpy(keys, from, static_cast<std::size_t>(n) * sizeof(Key));
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
