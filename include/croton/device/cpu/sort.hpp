// SPDX-License-Identifier: MIT
// Sorting on the CPU: rows become whole numbers of the same order, short ones are compared, long ones are sorted digit by digit.
#ifndef CROTON_DEVICE_CPU_SORT_HPP
#define CROTON_DEVICE_CPU_SORT_HPP

#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/sort.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// A number as an unsigned one that stands in the same order, NaN behind all others, and back. Of 0 and -0 there is a choice.
template <class T> struct order_of {
    using key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    static constexpr key top = key(1) << (8 * sizeof(key) - 1);

    template <bool SignOfZero> CROTON_INLINE static key in(T x) {
        if constexpr (std::is_floating_point_v<T>) {
            if (x != x) return std::numeric_limits<key>::max();
            const key bits = std::bit_cast<key>(SignOfZero ? x : x + T(0));
            return (bits & top) != 0 ? static_cast<key>(~bits) : bits | top;
        } else if constexpr (std::is_same_v<T, bool>) {
            return x ? 1 : 0;
        } else {
            return static_cast<key>(x) ^ (std::is_signed_v<T> ? top : key(0));
        }
    }
    CROTON_INLINE static T out(key k) {
        if constexpr (std::is_floating_point_v<T>) return k == std::numeric_limits<key>::max() ? std::numeric_limits<T>::quiet_NaN() : std::bit_cast<T>((k & top) != 0 ? k ^ top : static_cast<key>(~k));
        else if constexpr (std::is_same_v<T, bool>) return k != 0;
        else return static_cast<T>(k ^ (std::is_signed_v<T> ? top : key(0)));
    }
};

/// A key and where its number lies: in one word where both fit.
template <class Key> struct placed_key;
template <> struct placed_key<std::uint32_t> {
    std::uint64_t both;
    placed_key() = default;
    placed_key(std::uint32_t key, std::int64_t place) : both(std::uint64_t{key} << 32 | static_cast<std::uint32_t>(place)) {}
    static constexpr std::int64_t places = std::int64_t{1} << 32;
    std::int64_t place() const { return static_cast<std::uint32_t>(both); }
    std::uint32_t key() const { return static_cast<std::uint32_t>(both >> 32); }
    friend bool operator<(const placed_key& a, const placed_key& b) { return a.both < b.both; }
};
template <> struct placed_key<std::uint64_t> {
    std::uint64_t key_;
    std::int64_t place_;
    placed_key() = default;
    placed_key(std::uint64_t key, std::int64_t place) : key_(key), place_(place) {}
    std::int64_t place() const { return place_; }
    std::uint64_t key() const { return key_; }
    friend bool operator<(const placed_key& a, const placed_key& b) { return a.key_ != b.key_ ? a.key_ < b.key_ : a.place_ < b.place_; }
};
template <class Key> CROTON_INLINE Key key_in(const placed_key<Key>& e) { return e.key(); }
CROTON_INLINE std::uint32_t key_in(std::uint32_t e) { return e; }
CROTON_INLINE std::uint64_t key_in(std::uint64_t e) { return e; }

/// Sorts `n` entries by the bytes of their keys, the lowest first; where the keys are equal they stay in order. `other` is for as many.
template <class Entry> void sort_digits(Entry* entries, Entry* other, std::int64_t n) {
    constexpr int digits = sizeof(key_in(Entry()));
    std::int64_t count[digits][256] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        const auto key = key_in(entries[i]);
        for (int d = 0; d < digits; ++d) ++count[d][key >> (8 * d) & 255];
    }
    Entry *from = entries, *to = other;
    for (int d = 0; d < digits; ++d) {
        std::int64_t* const begin = count[d];
        if (begin[key_in(from[0]) >> (8 * d) & 255] == n) continue;  // all alike
        std::int64_t next = 0;
        for (int b = 0; b < 256; ++b) {
            const std::int64_t here = begin[b];
            begin[b] = next;
            next += here;
        }
        for (std::int64_t i = 0; i < n; ++i) to[begin[key_in(from[i]) >> (8 * d) & 255]++] = from[i];
        std::swap(from, to);
    }
    if (from != entries) std::memcpy(static_cast<void*>(entries), from, static_cast<std::size_t>(n) * sizeof(Entry));
}

/// Rows of which the first `wanted` of `n` entries are to be in order.
template <class Entry> void sort_entries(Entry* entries, Entry* other, std::int64_t n, std::int64_t wanted) {
    // Shorter rows are sooner compared than counted.
    constexpr std::int64_t long_row = 64 * static_cast<std::int64_t>(sizeof(key_in(Entry())));
    if (wanted < n) std::nth_element(entries, entries + wanted, entries + n);
    if (wanted < long_row) std::sort(entries, entries + wanted);
    else sort_digits(entries, other, wanted);
}

/// What the routines that sort have in common. `Way` has `Entry`, and `run(attributes, row of the result, row of the argument, entries, room for as many)`.
template <class Routine, class T, class In, class Way, class Arch> struct sorting_body {
    using Entry = typename Way::Entry;

    static std::int64_t entry_bytes(const kernel::routine_call& c) { return (2 * c.length * static_cast<std::int64_t>(sizeof(Entry)) + 63) / 64 * 64; }
    /// However many threads there are when it runs.
    static std::int64_t most_parts(const kernel::routine_call& c) {
        const std::int64_t work = Routine::operations(c.rows() * c.length, c.length) / work_per_thread;
        return std::max<std::int64_t>(1, std::min({std::int64_t{most_threads}, c.rows(), work}));
    }
    static std::int64_t room(const kernel::routine_call& c) { return c.rows() == 0 ? 0 : entry_bytes(c) * most_parts(c); }

    static void run(const kernel::routine_call& c, std::byte* room) {
        if constexpr (requires { Entry::places; })
            if (c.length > Entry::places) return run_plain_rows<Routine, kernel::routine_types<T, In>, Arch>(c);
        const std::int64_t rows = c.rows();
        const int parts = parts_of(Routine::operations(rows * c.length, c.length), most_parts(c));
        parallel(parts, [&](int part) {
            const std::int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
            Entry* const entries = reinterpret_cast<Entry*>(room + part * entry_bytes(c));
            row_walk walk(c, 2, std::max(c.rank - 1, 0), first);
            for (std::int64_t row = first; row < last; ++row, walk.next()) {
                const int along = c.rank == 0 ? 0 : c.rank - 1;
                Way::run(kernel::vector<T>{reinterpret_cast<T*>(c.data[1]) + walk.offset[1], c.along(), c.stride[1][along]},
                         kernel::vector<const In>{reinterpret_cast<const In*>(c.data[0]) + walk.offset[0], c.length, c.stride[0][along]}, entries, entries + c.length);
            }
        });
    }
};

template <class T, class In> struct sorts_values {
    using order = order_of<T>;
    using Entry = typename order::key;
    static void run(kernel::vector<T> y, kernel::vector<const In> x, Entry* entries, Entry* other) {
        for (std::int64_t i = 0; i < x.size; ++i) entries[i] = order::template in<true>(static_cast<T>(x.data[i * x.stride]));
        sort_entries(entries, other, x.size, x.size);
        for (std::int64_t i = 0; i < y.size; ++i) y.data[i * y.stride] = order::out(entries[i]);
    }
};

template <bool Descending, class I, class In> struct sorts_places {
    using T = arithmetic_t<In>;
    using key = typename order_of<T>::key;
    using Entry = placed_key<key>;
    static void run(kernel::vector<I> y, kernel::vector<const In> x, Entry* entries, Entry* other) {
        for (std::int64_t i = 0; i < x.size; ++i) {
            const T v = x.data[i * x.stride];
            const key k = order_of<T>::template in<false>(v);
            entries[i] = Entry(Descending && v == v ? static_cast<key>(~k) : k, i);
        }
        sort_entries(entries, other, x.size, y.size);
        for (std::int64_t i = 0; i < y.size; ++i) y.data[i * y.stride] = static_cast<I>(entries[i].place());
    }
};

template <class T, class In, class Arch> struct routine_body<kernel::sort, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::sort, T, In, sorts_values<T, In>, Arch> {};
template <class T, class In, class Arch>
struct routine_body<kernel::argsort, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::argsort, T, In, sorts_places<false, T, In>, Arch> {};
template <class T, class In, class Arch> struct routine_body<kernel::topk, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::topk, T, In, sorts_places<true, T, In>, Arch> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
