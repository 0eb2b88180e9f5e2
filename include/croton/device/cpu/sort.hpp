// SPDX-License-Identifier: MIT
// Sorting on the CPU: rows become whole numbers of the same order, which networks of registers sort, comparisons, or, in long rows, their digits.
#ifndef CROTON_DEVICE_CPU_SORT_HPP
#define CROTON_DEVICE_CPU_SORT_HPP

#include <croton/device/cpu/routines.hpp>
#include <croton/device/cpu/sorting_network.hpp>
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
/// How many numbers can be told by their places beside keys.
template <class Key> inline constexpr std::int64_t most_places = std::numeric_limits<std::int64_t>::max();
template <> inline constexpr std::int64_t most_places<std::uint32_t> = placed_key<std::uint32_t>::places;
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
    constexpr std::int64_t long_row = 16 * static_cast<std::int64_t>(sizeof(key_in(Entry())));
    if (wanted < n) std::nth_element(entries, entries + wanted, entries + n);
    if (wanted < long_row) std::sort(entries, entries + wanted);
    else sort_digits(entries, other, wanted);
}

/// Entries of more than one word, which no network sorts.
template <class Entry, class Arch> struct entry_network {
    static constexpr std::int64_t width = 1;
    static constexpr bool takes_rows(std::int64_t, std::int64_t) { return false; }
    static constexpr bool takes_row(std::int64_t) { return false; }
    static constexpr std::int64_t room(std::int64_t, std::int64_t length) { return length; }
};
/// Those that are one word, or hold one and no more, as what they hold.
template <class Entry, class Arch>
    requires(sizeof(Entry) <= sizeof(std::uint64_t))
struct entry_network<Entry, Arch> : sorting_network<std::conditional_t<sizeof(Entry) == 8, std::uint64_t, std::uint32_t>, Arch> {
    using word = std::conditional_t<sizeof(Entry) == 8, std::uint64_t, std::uint32_t>;
    static word* words_of(Entry* entries) { return reinterpret_cast<word*>(entries); }
};

/// What the routines that sort have in common. `Way` has `Entry`, and reads a row into entries and writes one of sorted entries.
template <class Routine, class T, class In, class Way, class Arch> struct sorting_body {
    using Entry = typename Way::Entry;
    using network = entry_network<Entry, Arch>;
    static constexpr std::int64_t width = network::width;

    static std::int64_t entry_bytes(const kernel::routine_call& c) {
        return (2 * network::room(c.rows(), c.length) * static_cast<std::int64_t>(sizeof(Entry)) + 63) / 64 * 64;
    }
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
            Entry* const other = entries + network::room(rows, c.length);
            row_walk walk(c, 2, std::max(c.rank - 1, 0), first);
            for (std::int64_t row = first; row < last;) {
                const std::int64_t together = std::min(width, last - row);
                const std::int64_t count = network::takes_rows(together, c.length) ? together : 1;
                T* results[width];
                for (std::int64_t i = 0; i < count; ++i, walk.next()) {
                    results[i] = reinterpret_cast<T*>(c.data[1]) + walk.offset[1];
                    Way::read(row_of<const In>(c, 0, reinterpret_cast<const In*>(c.data[0]) + walk.offset[0], c.length), entries + i * c.length);
                }
                if constexpr (width > 1) {
                    if (network::takes_rows(together, c.length)) {
                        // Lanes that no row fills do what those of the first one do.
                        for (std::int64_t i = count; i < width; ++i) std::copy(entries, entries + c.length, entries + i * c.length);
                        network::sort_rows(network::words_of(entries), network::words_of(other), c.length);
                    } else {
                        sort_one(entries, other, c);
                    }
                } else {
                    sort_one(entries, other, c);
                }
                for (std::int64_t i = 0; i < count; ++i) Way::write(row_of<T>(c, 1, results[i], c.along()), entries + i * c.length);
                row += count;
            }
        });
    }

private:
    template <class E> static kernel::vector<E> row_of(const kernel::routine_call& c, int argument, E* data, std::int64_t size) {
        return {data, size, c.stride[argument][c.rank == 0 ? 0 : c.rank - 1]};
    }
    static void sort_one(Entry* entries, Entry* other, const kernel::routine_call& c) {
        if constexpr (requires { network::sort_row(network::words_of(entries), network::words_of(other), c.length); })
            if (network::takes_row(c.length)) return network::sort_row(network::words_of(entries), network::words_of(other), c.length);
        sort_entries(entries, other, c.length, c.along());
    }
};

/// `f(i, element i)` of a row: where they lie side by side the compiler takes several at once.
template <class E, class F> CROTON_INLINE void each_of_row(const kernel::vector<E>& x, const F& f) {
    if (x.stride == 1)
        for (std::int64_t i = 0; i < x.size; ++i) f(i, x.data[i]);
    else
        for (std::int64_t i = 0; i < x.size; ++i) f(i, x.data[i * x.stride]);
}

template <class T, class In> struct sorts_values {
    using order = order_of<T>;
    using Entry = typename order::key;
    static void read(const kernel::vector<const In>& x, Entry* entries) {
        each_of_row(x, [&](std::int64_t i, In v) { entries[i] = order::template in<true>(static_cast<T>(v)); });
    }
    static void write(const kernel::vector<T>& y, const Entry* entries) {
        each_of_row(y, [&](std::int64_t i, T& v) { v = order::out(entries[i]); });
    }
};

template <bool Descending, class I, class In> struct sorts_places {
    using T = arithmetic_t<In>;
    using key = typename order_of<T>::key;
    using Entry = placed_key<key>;
    static void read(const kernel::vector<const In>& x, Entry* entries) {
        each_of_row(x, [&](std::int64_t i, In e) {
            const T v = e;
            const key k = order_of<T>::template in<false>(v);
            entries[i] = Entry(Descending && v == v ? static_cast<key>(~k) : k, i);
        });
    }
    static void write(const kernel::vector<I>& y, const Entry* entries) {
        each_of_row(y, [&](std::int64_t i, I& v) { v = static_cast<I>(entries[i].place()); });
    }
};

template <class T, class In, class Arch> struct routine_body<kernel::sort, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::sort, T, In, sorts_values<T, In>, Arch> {};
template <class T, class In, class Arch>
struct routine_body<kernel::argsort, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::argsort, T, In, sorts_places<false, T, In>, Arch> {};
template <class T, class In, class Arch> struct routine_body<kernel::topk, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::topk, T, In, sorts_places<true, T, In>, Arch> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
