// SPDX-License-Identifier: MIT
// Rows of two to four words that lie one behind the other, as points and pixels do: their columns taken apart in registers, and put together.
#ifndef CROTON_DEVICE_CPU_INTERLEAVED_HPP
#define CROTON_DEVICE_CPU_INTERLEAVED_HPP

#include <croton/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

#if CROTON_HAS_COMPUTED_SHUFFLES

/// As many rows of `Columns` words as registers of `Bytes` bytes have words: one register for each column, or as many that hold row by row.
template <class Word, int Columns, int Bytes> struct interleaved {
    static constexpr int n = Bytes / static_cast<int>(sizeof(Word));
    // Compilers know more ways to mix numbers than to mix words.
    using number = std::conditional_t<sizeof(Word) == 8, double, float>;
    typedef number full [[gnu::vector_size(Bytes)]];
    static constexpr std::make_integer_sequence<int, n> words{};
    static constexpr std::make_integer_sequence<int, Columns> columns{};

    /// Word `i` of column `c`, or of the row by row register `c`, among the words that one shuffle sees: what has been taken from registers before `seen`, and register `seen`.
    /// Of the first shuffle these are registers 0 and 1.
    static constexpr int place(int from, int word, int i, int seen) {
        if (from == seen) return n + word;
        return from > seen ? -1 : seen == 1 ? word : i;
    }
    static constexpr int place_in_rows(int c, int i, int seen) { return place((i * Columns + c) / n, (i * Columns + c) % n, i, seen); }
    static constexpr int place_in_columns(int c, int i, int seen) { return place((c * n + i) % Columns, (c * n + i) / Columns, i, seen); }

    template <bool Apart, int C, int Seen, int... I> CROTON_INLINE static void take(full& to, const full& next, std::integer_sequence<int, I...>) {
        to = __builtin_shufflevector(to, next, (Apart ? place_in_rows(C, I, Seen) : place_in_columns(C, I, Seen))...);
    }
    template <bool Apart, int C, int... K> CROTON_INLINE static full one(const full* from, std::integer_sequence<int, K...>) {
        full v = from[0];
        (take<Apart, C, K + 1>(v, from[K + 1], words), ...);
        return v;
    }
    /// The columns of such rows.
    template <int... C> CROTON_INLINE static void columns_of(full (&to)[Columns], const std::byte* from, std::integer_sequence<int, C...>) {
        full in[Columns];
        (static_cast<void>(std::memcpy(&in[C], from + C * Bytes, Bytes)), ...);
        ((to[C] = one<true, C>(in, std::make_integer_sequence<int, Columns - 1>{})), ...);
    }
    /// The columns of rows, or the rows of columns: `to` from `from`, registers that are `to_step` and `from_step` bytes apart.
    template <bool Apart, int... C> CROTON_INLINE static void run(std::byte* to, std::int64_t to_step, const std::byte* from, std::int64_t from_step, std::integer_sequence<int, C...>) {
        full in[Columns];
        (static_cast<void>(std::memcpy(&in[C], from + C * from_step, Bytes)), ...);
        const full out[Columns] = {one<Apart, C>(in, std::make_integer_sequence<int, Columns - 1>{})...};
        (static_cast<void>(std::memcpy(to + C * to_step, &out[C], Bytes)), ...);
    }

    /// The same where the columns lie anywhere; those that are null are left out.
    template <bool Apart, int... C> CROTON_INLINE static void run_each(std::byte* const* column, std::int64_t offset, std::byte* rows, std::integer_sequence<int, C...>) {
        full in[Columns] = {};
        if constexpr (Apart) (static_cast<void>(std::memcpy(&in[C], rows + C * Bytes, Bytes)), ...);
        else (static_cast<void>(std::memcpy(&in[C], column[C] + offset, Bytes)), ...);
        const full out[Columns] = {one<Apart, C>(in, std::make_integer_sequence<int, Columns - 1>{})...};
        if constexpr (Apart) ((column[C] == nullptr ? void() : static_cast<void>(std::memcpy(column[C] + offset, &out[C], Bytes))), ...);
        else (static_cast<void>(std::memcpy(rows + C * Bytes, &out[C], Bytes)), ...);
    }
    template <bool Apart> static void copy_each(std::byte* const* column, std::byte* rows, std::int64_t count) {
        constexpr std::int64_t unit = sizeof(Word), row = Columns * unit;
        for (std::int64_t i = 0;; i = i + 2 * n <= count ? i + n : count - n) {
            run_each<Apart>(column, i * unit, rows + i * row, columns);
            if (i + n == count) return;
        }
    }

    /// `count` such rows, at least `n`: what is left at the end is done with some that were done before.
    template <bool Apart> static void copy(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t count) {
        constexpr std::int64_t unit = sizeof(Word), row = Columns * unit;
        for (std::int64_t i = 0;; i = i + 2 * n <= count ? i + n : count - n) {
            if constexpr (Apart) run<true>(to + i * unit, step, from + i * row, Bytes, columns);
            else run<false>(to + i * row, Bytes, from + i * unit, step, columns);
            if (i + n == count) return;
        }
    }
};

#endif

/// Columns that lie `step` bytes apart, from or to `count` rows of `columns` words; false where this is not the way.
template <bool Apart, class Arch, class Word>
CROTON_INLINE bool copy_interleaved([[maybe_unused]] std::byte* to, [[maybe_unused]] const std::byte* from, [[maybe_unused]] std::int64_t step, [[maybe_unused]] std::int64_t count,
                                    [[maybe_unused]] std::int64_t columns) {
#if CROTON_HAS_COMPUTED_SHUFFLES
    if constexpr (sizeof(Word) >= 4) {
        constexpr int bytes = CROTON_HAS_AVX512 ? 64 : CROTON_HAS_AVX2 ? 32 : 16;
        if (count < static_cast<std::int64_t>(bytes / sizeof(Word)) || columns < 2 || columns > 4) return false;
        if (columns == 2) interleaved<Word, 2, bytes>::template copy<Apart>(to, from, step, count);
        else if (columns == 3) interleaved<Word, 3, bytes>::template copy<Apart>(to, from, step, count);
        else interleaved<Word, 4, bytes>::template copy<Apart>(to, from, step, count);
        return true;
    }
#endif
    return false;
}

/// Columns that lie anywhere, from or to `count` rows of two to four words; false where this is not the way. Of rows that are taken apart columns may be null.
template <bool Apart, class Arch, class Word>
bool copy_columns([[maybe_unused]] std::byte* const* column, [[maybe_unused]] std::byte* rows, [[maybe_unused]] std::int64_t count, [[maybe_unused]] int columns) {
#if CROTON_HAS_COMPUTED_SHUFFLES
    constexpr int bytes = CROTON_HAS_AVX2 ? 32 : 16;
    if (count < static_cast<std::int64_t>(bytes / sizeof(Word))) return false;
    if (columns == 2) interleaved<Word, 2, bytes>::template copy_each<Apart>(column, rows, count);
    else if (columns == 3) interleaved<Word, 3, bytes>::template copy_each<Apart>(column, rows, count);
    else interleaved<Word, 4, bytes>::template copy_each<Apart>(column, rows, count);
    return true;
#else
    return false;
#endif
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
