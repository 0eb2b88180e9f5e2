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

/// Sorts whole numbers without a branch that depends on them: with signs, as most instruction sets compare them.
template <class Key, class Arch> struct sorting_network {
    using V = typename lanes_of<Key, register_bytes<Arch>()>::type;
    /// The rows that are sorted at once.
    static constexpr std::int64_t width = sizeof(V) / sizeof(Key);

    // Where parting rows, or counting digits, is as quick: what is measured stands in bench/results/2026-11-24-sorting.txt and 2026-11-30-sorting.txt.
    static constexpr std::int64_t key_size = sizeof(Key);
    static constexpr std::int64_t longest_of_rows = sizeof(V) == 64 ? 768 : sizeof(V) == 32 ? 1024 : 1280 / key_size;

    /// Whether `count` rows, at most `width`, are sooner sorted at once, as if there were `width`, than one by one.
    static constexpr bool takes_rows(std::int64_t count, std::int64_t length) {
        return length <= longest_of_rows && (4 * count >= width || length <= 2 * width);
    }
    CROTON_INLINE static V load(const Key* p) {
        V v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    CROTON_INLINE static void store(Key* p, const V& v) { std::memcpy(p, &v, sizeof v); }

    CROTON_INLINE static void exchange(V& low, V& high) {
        const V a = low, b = high;
        low = a < b ? a : b;
        high = a < b ? b : a;
    }
    CROTON_INLINE static void exchange(Key* low, Key* high) {
        V a = load(low), b = load(high);
        exchange(a, b);
        store(low, a);
        store(high, b);
    }

    // Registers that are sorted without a way through memory.
    static constexpr std::int64_t block = 8;

    /// Each lane of `block` registers by itself: 19 exchanges (Knuth, The Art of Computer Programming, section 5.3.4).
    CROTON_INLINE static void sort_block(Key* keys) {
        V v[block];
        CROTON_UNROLLED
        for (std::int64_t i = 0; i < block; ++i) v[i] = load(keys + i * width);
        exchange(v[0], v[2]), exchange(v[1], v[3]), exchange(v[4], v[6]), exchange(v[5], v[7]);
        exchange(v[0], v[4]), exchange(v[1], v[5]), exchange(v[2], v[6]), exchange(v[3], v[7]);
        exchange(v[0], v[1]), exchange(v[2], v[3]), exchange(v[4], v[5]), exchange(v[6], v[7]);
        exchange(v[2], v[4]), exchange(v[3], v[5]);
        exchange(v[1], v[4]), exchange(v[3], v[6]);
        exchange(v[1], v[2]), exchange(v[3], v[4]), exchange(v[5], v[6]);
        CROTON_UNROLLED
        for (std::int64_t i = 0; i < block; ++i) store(keys + i * width, v[i]);
    }

    /// Each lane of `count` registers by itself, by the odd-even merges of Batcher (section 5.2.2).
    static void sort_lanes(Key* keys, std::int64_t count) {
        std::int64_t done = 0;
        for (; count - done >= block; done += block) sort_block(keys + done * width);
        if (done < count) merge_lanes(keys + done * width, count - done, 1);
        merge_lanes(keys, count, block);
    }
    /// The same of registers that are in order, `sorted` by `sorted` of them, a power of two.
    static void merge_lanes(Key* keys, std::int64_t count, std::int64_t sorted) {
        for (std::int64_t p = sorted; p < count; p *= 2)
            for (std::int64_t d = p; d > 0; d /= 2)
                for (std::int64_t whole = 0; whole < count; whole += 2 * p) {
                    const std::int64_t end = std::min(whole + 2 * p, count) - d;
                    for (std::int64_t from = whole + d % p; from < end; from += 2 * d) {
                        Key *at = keys + from * width, *const to = keys + std::min(from + d, end) * width;
                        for (; at != to; at += width) exchange(at, at + d * width);
                    }
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

    /// A row of `length` keys comes in order into `other`; both have room for `padded(length)`.
    static void sort_row(Key* keys, Key* other, std::int64_t length) {
        constexpr std::int64_t row_bytes = sizeof(V);
        const std::int64_t size = padded(length), run = size / width;
        std::fill(keys + length, keys + size, std::numeric_limits<Key>::max());
        sort_lanes(keys, run);
        copy_turned<Arch, Key>(as_bytes(other), run * key_size, as_bytes(keys), row_bytes, run, width);
        for (std::int64_t sorted = run / width; sorted * width < size; sorted *= 2)
            for (std::int64_t from = 0; from < size; from += 2 * sorted * width) merge(other + from, sorted);
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
        std::int64_t d = count / 2;
        for (; d >= block; d /= 2)
            for (Key* from = keys; from < keys + 2 * count * width; from += 2 * d * width)
                for (Key *a = from, *const end = from + d * width; a != end; a += width) exchange(a, a + d * width);
        Key* const end = keys + 2 * count * width;
        if (d == block / 2) finish_all<block>(keys, end);
        else if (d == block / 4) finish_all<block / 2>(keys, end);
        else if (d == block / 8) finish_all<block / 4>(keys, end);
        else finish_all<1>(keys, end);
    }
    template <int Registers> static void finish_all(Key* keys, Key* end) {
        for (; keys != end; keys += Registers * width) finish<Registers>(keys);
    }
    /// What is bitonic in registers: by distances within them.
    template <int Registers> CROTON_INLINE static void finish(Key* keys) {
        V v[Registers];
        CROTON_UNROLLED
        for (int i = 0; i < Registers; ++i) v[i] = load(keys + i * width);
        CROTON_UNROLLED
        for (int d = Registers / 2; d > 0; d /= 2)
            CROTON_UNROLLED
            for (int i = 0; i < Registers; ++i)
                if ((i & d) == 0) exchange(v[i], v[i + d]);
        CROTON_UNROLLED
        for (int i = 0; i < Registers; ++i) store(keys + i * width, within<static_cast<int>(width) / 2>(v[i]));
    }

#endif

    static std::byte* as_bytes(Key* p) { return reinterpret_cast<std::byte*>(p); }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
