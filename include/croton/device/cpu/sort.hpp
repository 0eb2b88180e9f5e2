// SPDX-License-Identifier: MIT
// Sorting on the CPU: rows become whole numbers of the same order, which registers sort, or, where they cannot, comparisons and digits.
#ifndef CROTON_DEVICE_CPU_SORT_HPP
#define CROTON_DEVICE_CPU_SORT_HPP

#include <croton/device/cpu/few_largest.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/device/cpu/quick_sort.hpp>
#include <croton/kernel/routine/sort.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// A number as a whole one that stands in the same order, NaN behind all others, and back. Of 0 and -0 there is a choice.
template <class T> struct order_of {
    using key = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    static constexpr key top = std::numeric_limits<key>::min();

    template <bool SignOfZero> CROTON_INLINE static key in(T x) {
        if constexpr (std::is_floating_point_v<T>) {
            if (x != x) return std::numeric_limits<key>::max();
            return turned(std::bit_cast<key>(SignOfZero ? x : x + T(0)));
        } else if constexpr (std::is_same_v<T, bool>) {
            return x ? 1 : 0;
        } else {
            return static_cast<key>(x) ^ turned_sign;
        }
    }
    CROTON_INLINE static T out(key k) {
        if constexpr (std::is_floating_point_v<T>) return k == std::numeric_limits<key>::max() ? std::numeric_limits<T>::quiet_NaN() : std::bit_cast<T>(turned(k));
        else if constexpr (std::is_same_v<T, bool>) return k != 0;
        else return static_cast<T>(k ^ turned_sign);
    }

private:
    // Of numbers below 0 the larger bits are those of the smaller number.
    CROTON_INLINE static key turned(key bits) { return bits < 0 ? bits ^ ~top : bits; }
    static constexpr key turned_sign = std::is_unsigned_v<T> && sizeof(T) == sizeof(key) ? top : 0;
};

/// Keys and where their numbers lie, each in one word: where both have no room there, the lowest bits of the keys are left out, and looked at where the others are equal.
struct placed_keys {
    int place_bits = 0, left_out = 0;

    std::int64_t place(std::int64_t word) const { return word & ((std::int64_t{1} << place_bits) - 1); }

    /// Of `n` keys, `key(i)`, the words.
    template <class KeyAt> void take(std::int64_t* words, std::int64_t n, const KeyAt& key) {
        using bits = std::uint64_t;
        place_bits = static_cast<int>(std::bit_width(static_cast<bits>(std::max<std::int64_t>(n - 1, 1))));
        std::int64_t lowest = std::numeric_limits<std::int64_t>::max(), highest = std::numeric_limits<std::int64_t>::min();
        if (sizeof(key(0)) == 4 && place_bits <= 32) {
            place_bits = 32;
            for (std::int64_t i = 0; i < n; ++i) words[i] = std::int64_t{key(i)} * (std::int64_t{1} << 32) | i;
            return;
        }
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t k = key(i);
            words[i] = k;
            lowest = std::min(lowest, k);
            highest = std::max(highest, k);
        }
        left_out = n == 0 ? 0 : std::max(0, static_cast<int>(std::bit_width(static_cast<bits>(highest) - static_cast<bits>(lowest))) + place_bits - 64);
        for (std::int64_t i = 0; i < n; ++i) {
            const bits rank = (static_cast<bits>(words[i]) - static_cast<bits>(lowest)) >> left_out;
            words[i] = static_cast<std::int64_t>((rank << place_bits | static_cast<bits>(i)) ^ bits{1} << 63);
        }
    }

    /// What is left to do of `n` words whose first `wanted` are in order.
    template <class KeyAt> void settle(std::int64_t* words, std::int64_t n, std::int64_t wanted, const KeyAt& key) const {
        if (left_out == 0 || wanted == 0) return;
        const std::int64_t last = words[wanted - 1] >> place_bits;
        std::int64_t* const end = std::partition(words + wanted, words + n, [&](std::int64_t w) { return w >> place_bits == last; });
        for (std::int64_t *first = words, *next; first != end; first = next) {
            next = std::find_if(first + 1, end, [&](std::int64_t w) { return w >> place_bits != *first >> place_bits; });
            if (next - first > 1)
                std::sort(first, next, [&](std::int64_t a, std::int64_t b) {
                    const auto at_a = key(place(a)), at_b = key(place(b));
                    return at_a != at_b ? at_a < at_b : a < b;
                });
        }
    }

    template <class KeyAt> bool have_one_key(std::int64_t a, std::int64_t b, const KeyAt& key) const {
        return a >> place_bits == b >> place_bits && (left_out == 0 || key(place(a)) == key(place(b)));
    }
};

/// The first `wanted` of `n` words come in order to their beginning, of which the first `skipped` need no order among themselves, and the others behind them;
/// `other` is for as many.
template <class Arch, class Word> void sort_words(Word* words, Word* other, std::int64_t n, std::int64_t wanted, std::int64_t skipped = 0) {
    using quick = quick_sort<Word, Arch>;
    if constexpr (requires { quick::parts; })
        if (quick::takes(n)) return quick::run(words, other, n, wanted, skipped);
    if (skipped > 0) {
        std::nth_element(words, words + skipped, words + n);
        return sort_words<Arch>(words + skipped, other, n - skipped, wanted - skipped);
    }
    // Shorter rows are sooner compared than counted.
    constexpr std::int64_t long_row = 16 * static_cast<std::int64_t>(sizeof(Word));
    if (wanted < n) std::nth_element(words, words + wanted, words + n);
    if (wanted < long_row) std::sort(words, words + wanted);
    else sort_digits(words, other, wanted);
}

/// Sorts `n` words at some places of them, which count from the end where they are below 0.
template <class Arch, class Word> void sort_words_at(Word* words, Word* other, std::int64_t n, const kernel::vector<const std::int64_t>& places) {
    // Beyond a few runs of places beside each other all is sorted.
    constexpr int most = 8;
    std::int64_t first[most], last[most];
    int runs = 0;
    for (std::int64_t i = 0; i < places.size; ++i) {
        std::int64_t p = places.data[i * places.stride];
        if (p < 0) p += n;
        if (p < 0 || p >= n) continue;
        int k = 0;
        while (k < runs && last[k] + 1 < p) ++k;
        if (k < runs && first[k] <= p + 1) {
            first[k] = std::min(first[k], p);
            last[k] = std::max(last[k], p);
            continue;
        }
        if (runs == most) return sort_words<Arch>(words, other, n, n);
        std::copy_backward(first + k, first + runs, first + runs + 1);
        std::copy_backward(last + k, last + runs, last + runs + 1);
        first[k] = last[k] = p;
        ++runs;
    }
    std::int64_t done = 0;
    for (int k = 0; k < runs; ++k) {
        if (last[k] < done) continue;
        if (first[k] == n - 1 && done < n - 1) {
            std::iter_swap(std::max_element(words + done, words + n), words + n - 1);
            return;
        }
        const std::int64_t from = std::max(first[k], done);
        sort_words<Arch>(words + done, other, n - done, last[k] + 1 - done, from - done);
        done = last[k] + 1;
    }
}

/// What the routines that sort have in common. `Way` reads a row into words, which say what it keeps of the row, and writes one of sorted words.
template <class Routine, class T, class In, class Way, class Arch> struct sorting_body {
    using Word = typename Way::Word;
    using network = sorting_network<Word, Arch>;
    static constexpr std::int64_t width = network::width;
    static constexpr int to = Routine::arguments;
    static constexpr bool in_part = std::is_same_v<Routine, kernel::partition>;

    static std::int64_t length(const kernel::routine_call& c) { return in_part ? c.along() : c.length; }
    static std::int64_t part_bytes(const kernel::routine_call& c) { return (2 * word_count(c) * static_cast<std::int64_t>(sizeof(Word)) + 63) / 64 * 64; }
    /// Of one row, or of those that are sorted at once.
    static std::int64_t word_count(const kernel::routine_call& c) { return network::takes_rows(std::min(c.rows(), width), length(c)) ? width * length(c) : length(c); }
    /// However many threads there are when it runs.
    static std::int64_t most_parts(const kernel::routine_call& c) {
        const std::int64_t work = Routine::operations(c.rows() * length(c), length(c)) / work_per_thread;
        return std::max<std::int64_t>(1, std::min({std::int64_t{most_threads}, c.rows(), work}));
    }
    static std::int64_t room(const kernel::routine_call& c) { return c.rows() == 0 ? 0 : part_bytes(c) * most_parts(c); }

    static bool finds_few(const kernel::routine_call& c) { return std::is_same_v<Routine, kernel::topk> && few_largest<In, Arch>::takes(c.along(), length(c)); }

    static void run(const kernel::routine_call& c, std::byte* room) {
        const std::int64_t rows = c.rows();
        const int parts = parts_of(Routine::operations(rows * length(c), length(c)), most_parts(c));
        parallel(parts, [&](int part) {
            const std::int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
            Word *const words = reinterpret_cast<Word*>(room + part * part_bytes(c)), *const other = words + word_count(c);
            row_walk walk(c, to + 1, std::max(c.rank - 1, 0), first);
            for (std::int64_t row = first; row < last;) {
                const std::int64_t together = std::min(width, last - row);
                const bool at_once = !finds_few(c) && network::takes_rows(together, length(c));
                const std::int64_t count = at_once ? together : 1;
                kernel::vector<const In> from[width];
                T* results[width];
                typename Way::kept kept[width];
                for (std::int64_t i = 0; i < count; ++i, walk.next()) {
                    results[i] = reinterpret_cast<T*>(c.data[to]) + walk.offset[to];
                    from[i] = row_of<const In>(c, 0, reinterpret_cast<const In*>(c.data[0]) + walk.offset[0], length(c));
                }
                if constexpr (std::is_same_v<Routine, kernel::topk>)
                    if (finds_few(c) && few_largest<In, Arch>::run(row_of<T>(c, to, results[0], c.along()), from[0])) {
                        ++row;
                        continue;
                    }
                for (std::int64_t i = 0; i < count; ++i) kept[i] = Way::read(from[i], words + i * length(c));
                if (at_once) {
                    // Lanes that no row fills do what those of the first one do.
                    for (std::int64_t i = count; i < width; ++i) std::copy(words, words + length(c), words + i * length(c));
                    network::sort_rows(words, other, length(c));
                } else if constexpr (in_part) {
                    sort_words_at<Arch>(words, other, length(c), kernel::argument_row<Routine, 1, std::int64_t>(c, walk.offset));
                } else {
                    sort_words<Arch>(words, other, length(c), c.along());
                }
                for (std::int64_t i = 0; i < count; ++i) Way::write(row_of<T>(c, to, results[i], c.along()), words + i * length(c), from[i], kept[i]);
                row += count;
            }
        });
    }

private:
    template <class E> static kernel::vector<E> row_of(const kernel::routine_call& c, int argument, E* data, std::int64_t size) {
        return {data, size, c.stride[argument][c.rank == 0 ? 0 : c.rank - 1]};
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
    using Word = typename order::key;
    struct kept {};
    static kept read(const kernel::vector<const In>& x, Word* words) {
        each_of_row(x, [&](std::int64_t i, In v) { words[i] = order::template in<true>(static_cast<T>(v)); });
        return {};
    }
    static void write(const kernel::vector<T>& y, const Word* words, const kernel::vector<const In>&, kept) {
        each_of_row(y, [&](std::int64_t i, T& v) { v = order::out(words[i]); });
    }
};

template <bool Descending, class I, class In> struct sorts_places {
    using Word = std::int64_t;
    using kept = placed_keys;
    static kept read(const kernel::vector<const In>& x, Word* words) {
        kept keys;
        // Where they lie side by side the compiler takes several at once.
        if (x.stride == 1) keys.take(words, x.size, [from = x.data](std::int64_t i) CROTON_INLINED { return key_of(from[i]); });
        else keys.take(words, x.size, keys_of(x));
        return keys;
    }
    static void write(const kernel::vector<I>& y, Word* words, const kernel::vector<const In>& x, const kept& keys) {
        keys.settle(words, x.size, y.size, keys_of(x));
        each_of_row(y, [&](std::int64_t i, I& v) { v = static_cast<I>(keys.place(words[i])); });
    }

private:
    CROTON_INLINE static auto key_of(In e) {
        using T = arithmetic_t<In>;
        const T v = e;
        const auto k = order_of<T>::template in<false>(v);
        return Descending && v == v ? static_cast<decltype(k)>(~k) : k;
    }
    static auto keys_of(const kernel::vector<const In>& x) {
        return [x](std::int64_t i) CROTON_INLINED { return key_of(x.data[i * x.stride]); };
    }
};

template <class T, class In, class Arch> struct routine_body<kernel::sort, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::sort, T, In, sorts_values<T, In>, Arch> {};
template <class T, class In, class Arch>
struct routine_body<kernel::partition, kernel::routine_types<T, In, std::int64_t>, Arch> : sorting_body<kernel::partition, T, In, sorts_values<T, In>, Arch> {};
template <class T, class In, class Arch>
struct routine_body<kernel::argsort, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::argsort, T, In, sorts_places<false, T, In>, Arch> {};
template <class T, class In, class Arch> struct routine_body<kernel::topk, kernel::routine_types<T, In>, Arch> : sorting_body<kernel::topk, T, In, sorts_places<true, T, In>, Arch> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
