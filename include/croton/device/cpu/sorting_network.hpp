// SPDX-License-Identifier: MIT
// Keys sorted by a fixed list of comparisons, each of whole registers: several rows at once, or one row by its lanes.
#ifndef CROTON_DEVICE_CPU_SORTING_NETWORK_HPP
#define CROTON_DEVICE_CPU_SORTING_NETWORK_HPP

#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/tile.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Sorts unsigned numbers without a branch that depends on them.
template <class Key, class Arch> struct sorting_network {
    using V = typename lanes_of<Key, register_bytes<Arch>()>::type;
    /// The rows that are sorted at once.
    static constexpr std::int64_t width = sizeof(V) / sizeof(Key);

    // Where counting digits is as quick, on an Intel Xeon with AVX-512: what is measured stands in bench/results/2026-11-24-sorting.txt.
    static constexpr std::int64_t key_size = sizeof(Key);
    static constexpr std::int64_t longest_of_rows = sizeof(V) == 64 ? 768 : sizeof(V) == 32 ? 4096 / key_size : 1280 / key_size;
    static constexpr std::int64_t longest_padded = sizeof(V) == 64 ? 1024 : sizeof(V) == 32 ? 16384 / (key_size * key_size) : 512 / key_size;

    /// Whether `count` rows, at most `width`, are sooner sorted at once, as if there were `width`, than one by one.
    static constexpr bool takes_rows(std::int64_t count, std::int64_t length) {
        return length <= longest_of_rows && (4 * count >= width || length <= 2 * width);
    }
    /// Whether a row of its own is sorted here.
    static constexpr bool takes_row(std::int64_t length) {
#if CROTON_HAS_COMPUTED_SHUFFLES
        return length >= std::max<std::int64_t>(24, 2 * width) && padded(length) <= longest_padded;
#else
        return length < 0;
#endif
    }
    /// The keys of one row among `width`, or of one by itself, that either takes room for.
    static constexpr std::int64_t room(std::int64_t rows, std::int64_t length) {
        return std::max(takes_rows(std::min(rows, width), length) ? width * length : length, takes_row(length) ? padded(length) : 0);
    }

    CROTON_INLINE static V load(const Key* p) {
        V v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    CROTON_INLINE static void store(Key* p, const V& v) { std::memcpy(p, &v, sizeof v); }

    CROTON_INLINE static void exchange(Key* low, Key* high) {
        const V a = load(low), b = load(high);
        store(low, a < b ? a : b);
        store(high, a < b ? b : a);
    }

    /// Each lane of `count` registers by itself, by the odd-even merges of Batcher (Knuth, The Art of Computer Programming, algorithm 5.2.2 M).
    static void sort_lanes(Key* keys, std::int64_t count) {
        std::int64_t top = 1;
        while (2 * top < count) top *= 2;
        for (std::int64_t p = top; p > 0; p /= 2)
            for (std::int64_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
                for (std::int64_t from = r; from + d < count; from += 2 * p) {
                    Key *at = keys + from * width, *const end = keys + std::min(from + p, count - d) * width;
                    for (; at != end; at += width) exchange(at, at + d * width);
                }
                if (q == p) break;
            }
    }

    /// `width` rows of `length` keys, one behind the other; `other` is for as many.
    static void sort_rows(Key* keys, Key* other, std::int64_t length) {
        constexpr std::int64_t row_bytes = sizeof(V);
        copy_turned<Arch, Key>(as_bytes(other), row_bytes, as_bytes(keys), length * key_size, width, length);
        sort_lanes(other, length);
        copy_turned<Arch, Key>(as_bytes(keys), length * key_size, as_bytes(other), row_bytes, length, width);
    }

    /// The keys that a row of `length` takes room for in `sort_row`.
    static constexpr std::int64_t padded(std::int64_t length) {
        std::int64_t size = width * width;
        while (size < length) size *= 2;
        return size;
    }

#if CROTON_HAS_COMPUTED_SHUFFLES

    /// A row of `length` keys; it and `other` have room for `padded(length)`.
    static void sort_row(Key* keys, Key* other, std::int64_t length) {
        constexpr std::int64_t row_bytes = sizeof(V);
        const std::int64_t size = padded(length), run = size / width;
        std::fill(keys + length, keys + size, std::numeric_limits<Key>::max());
        sort_lanes(keys, run);
        copy_turned<Arch, Key>(as_bytes(other), run * key_size, as_bytes(keys), row_bytes, run, width);
        for (std::int64_t sorted = run / width; sorted * width < size; sorted *= 2)
            for (std::int64_t from = 0; from < size; from += 2 * sorted * width) merge(other + from, sorted);
        std::memcpy(keys, other, static_cast<std::size_t>(length) * sizeof(Key));
    }

private:
    static constexpr auto lanes = std::make_integer_sequence<int, static_cast<int>(width)>{};

    template <int... I> CROTON_INLINE static V reversed(const V& v, std::integer_sequence<int, I...>) {
        return __builtin_shufflevector(v, v, (static_cast<int>(width) - 1 - I)...);
    }
    /// Puts lanes that are `Distance` apart in order.
    template <int Distance, int... I> CROTON_INLINE static V ordered(const V& v, std::integer_sequence<int, I...>) {
        const V w = __builtin_shufflevector(v, v, (I ^ Distance)...);
        const V low = v < w ? v : w, high = v < w ? w : v;
        return __builtin_shufflevector(low, high, ((I & Distance) == 0 ? I : I + static_cast<int>(width))...);
    }
    template <int Distance> CROTON_INLINE static V within(const V& v) {
        if constexpr (Distance == 0) return v;
        else return within<Distance / 2>(ordered<Distance>(v, lanes));
    }

    /// Two runs of `count` registers, a power of two, one behind the other: bitonic merging.
    static void merge(Key* keys, std::int64_t count) {
        for (Key *a = keys, *b = keys + (2 * count - 1) * width; a < b; a += width, b -= width) {
            const V low = load(a), high = reversed(load(b), lanes);
            store(a, low < high ? low : high);
            store(b, reversed(low < high ? high : low, lanes));
        }
        for (std::int64_t d = count / 2; d > 0; d /= 2)
            for (Key* from = keys; from < keys + 2 * count * width; from += 2 * d * width)
                for (Key *a = from, *const end = from + d * width; a != end; a += width) exchange(a, a + d * width);
        for (Key *a = keys, *const end = keys + 2 * count * width; a != end; a += width) store(a, within<static_cast<int>(width) / 2>(load(a)));
    }

#endif

    static std::byte* as_bytes(Key* p) { return reinterpret_cast<std::byte*>(p); }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
