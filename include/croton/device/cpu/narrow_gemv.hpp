// SPDX-License-Identifier: MIT
// Products of matrices of few columns, which lie side by side, with vectors: as many rows at once as a register has numbers.
#ifndef CROTON_DEVICE_CPU_NARROW_GEMV_HPP
#define CROTON_DEVICE_CPU_NARROW_GEMV_HPP

#include <croton/device/cpu/avx2.hpp>
#include <croton/device/cpu/avx512.hpp>
#include <croton/device/cpu/interleaved.hpp>
#include <croton/device/cpu/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

template <class T, class Arch> struct narrow_gemv {
    static constexpr bool found = CROTON_HAS_COMPUTED_SHUFFLES != 0 && CROTON_HAS_AVX2 != 0 && std::is_floating_point_v<T> && register_bytes<Arch>() == (CROTON_HAS_AVX512 ? 64 : 32);

#if CROTON_HAS_COMPUTED_SHUFFLES && CROTON_HAS_AVX2
    static constexpr int bytes = static_cast<int>(register_bytes<Arch>()), n = bytes / static_cast<int>(sizeof(T));
    using V = typename lanes_of<T, register_bytes<Arch>()>::type;
    using words = typename lanes_of<std::uint32_t, register_bytes<Arch>()>::type;

    template <class R> CROTON_INLINE static R read(const void* p) {
        R v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }

    template <class R> CROTON_INLINE static void write(void* p, const R& v) { std::memcpy(p, &v, sizeof v); }

    /// `to = a x` of `rows` rows of `Columns` numbers, at least `n`: what is left at the end is done with rows that were done before.
    template <int Columns> [[gnu::noinline]] static void dots(const T* a, const T* x, std::int64_t rows, T* to) { dots<Columns>(a, x, rows, to, std::make_integer_sequence<int, Columns>{}); }

    /// Columns whose sums have room, and rows that are worth what precedes and follows them.
    static constexpr std::int64_t most_columns = 2 * n, least_rows = 256;

    /// `to = x a`, of an `a` of so many columns. They are summed as they come, several rows in a register, and those of one column at the end.
    [[gnu::noinline]] static void sums(const T* a, const T* x, std::int64_t rows, std::int64_t columns, T* to) {
        // What reaches behind the last row is written over, and read for nothing.
        T all[(most_columns + 2) * n];
        for (std::int64_t r = 0; r < columns; ++r) write(all + r * n, V{});
        // The places of the factors of `n` rows, in words, of which permutations are made.
        constexpr int each = static_cast<int>(sizeof(T)) / 4;
        std::uint32_t place[(most_columns + 2) * n * each];
        words of_row{};
        for (int w = 1; w < n * each; w += each) of_row[w] = each - 1;
        for (int i = 0; i < n; ++i, of_row += static_cast<std::uint32_t>(each))
            for (std::int64_t k = 0; k < columns; k += n) write(place + (i * columns + k) * each, of_row);
        // Rows that the nearest cache holds meet each register of their sums.
        const std::int64_t together = 4, block = std::max<std::int64_t>(1, near_bytes / (columns * together * bytes)) * together * n;
        std::int64_t done = 0;
        for (; rows - done >= n; done += std::min(block, rows - done) / n * n)
            for (std::int64_t r = 0; r < columns; ++r) {
                const words factors = read<words>(place + r * n * each);
                const T* const from = a + done * columns + r * n;
                V sum[together] = {read<V>(all + r * n)};
                const auto add = [&](V& to_sum, std::int64_t i) CROTON_INLINED { to_sum += permuted(read<V>(x + done + i), factors) * read<V>(from + i * columns); };
                const std::int64_t end = std::min(block, rows - done) / n * n;
                std::int64_t i = 0;
                for (; i + together * n <= end; i += together * n) add(sum[0], i), add(sum[1], i + n), add(sum[2], i + 2 * n), add(sum[3], i + 3 * n);
                for (; i < end; i += n) add(sum[0], i);
                write(all + r * n, (sum[0] + sum[1]) + (sum[2] + sum[3]));
            }
        // In pairs of rows, so that each waits for no more than it must.
        for (std::int64_t left = n / 2 * columns; left >= columns; left /= 2)
            for (std::int64_t k = 0; k < left; k += n) write(all + k, read<V>(all + k) + read<V>(all + left + k));
        for (; done < rows; ++done)
            for (std::int64_t k = 0; k < columns; ++k) all[k] += x[done] * a[done * columns + k];
        std::copy_n(all, columns, to);
    }

private:
    template <int Columns, int... C> static void dots(const T* a, const T* x, std::int64_t rows, T* to, std::integer_sequence<int, C...> all) {
        for (std::int64_t i = 0;; i = i + 2 * n <= rows ? i + n : rows - n) {
            V column[Columns];
            interleaved<T, Columns, bytes>::columns_of(column, reinterpret_cast<const std::byte*>(a + i * Columns), all);
            write(to + i, ((x[C] * column[C]) + ...));
            if (i + n == rows) return;
        }
    }

    static constexpr std::int64_t near_bytes = 16 * 1024;

    CROTON_INLINE static V permuted(const V& v, const words& p) {
#if CROTON_HAS_AVX512
        return __builtin_bit_cast(V, _mm512_permutexvar_epi32(__builtin_bit_cast(__m512i, p), __builtin_bit_cast(__m512i, v)));
#else
        return __builtin_bit_cast(V, _mm256_permutevar8x32_epi32(__builtin_bit_cast(__m256i, v), __builtin_bit_cast(__m256i, p)));
#endif
    }
#endif
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
