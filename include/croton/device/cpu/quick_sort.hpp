// SPDX-License-Identifier: MIT
// Long rows of keys in order: parted at one of them, register by register, until networks sort what is left.
#ifndef CROTON_DEVICE_CPU_QUICK_SORT_HPP
#define CROTON_DEVICE_CPU_QUICK_SORT_HPP

#include <croton/device/cpu/avx2.hpp>
#include <croton/device/cpu/sort_digits.hpp>
#include <croton/device/cpu/sorting_network.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace croton::inline v0_1::detail::cpu_device {

/// Sorts whole numbers that have signs, of 32 or 64 bits.
template <class Key, class Arch> struct quick_sort {
    using network = sorting_network<Key, Arch>;

#if CROTON_HAS_COMPUTED_SHUFFLES
    using V = typename network::V;
    static constexpr std::int64_t width = network::width;

    /// Whether there are instructions by which registers are parted.
    static constexpr bool parts = CROTON_HAS_AVX2 != 0 && register_bytes<Arch>() == (CROTON_HAS_AVX512 ? 64 : 32);
    static constexpr bool takes(std::int64_t n) { return parts || n <= few; }

    /// The first `wanted` of `n` keys come in order to their beginning, without the first `skipped` of these, which are not larger, and the others behind them;
    /// `room` is for as many.
    [[gnu::noinline]] static void run(Key* keys, Key* room, std::int64_t n, std::int64_t wanted, std::int64_t skipped = 0) {
        sort_parted(keys, room, n, wanted, 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))), skipped);
    }
    /// Keys that are parted so often, and are still many, are sorted by their digits: no order of them takes long.
    static void sort_parted(Key* keys, Key* room, std::int64_t n, std::int64_t wanted, int depth, std::int64_t skipped = 0) {
        sort_range({keys, room, n, wanted, skipped, depth});
    }

    /// Keys below `limit` come to the beginning of `to`, which has room for all, and the others behind them: gives how many are below.
    static std::int64_t part(const Key* from, Key* to, std::int64_t n, Key limit) {
        std::int64_t low = 0, high = n, i = 0;
        if constexpr (parts) {
            const V limits = V{} + limit;
            for (; n - i >= least_gap; i += width) {
                const std::int64_t count = put(to + low, to + high, network::load(from + i), limits);
                low += count;
                high -= width - count;
            }
        }
        for (; i < n; ++i) {
            const Key key = from[i];
            const bool is_low = key < limit;
            to[low] = to[high - 1] = key;
            low += is_low ? 1 : 0;
            high -= is_low ? 0 : 1;
        }
        return low;
    }

private:
    // Keys that are sooner sorted by a network than parted again: what is measured stands in bench/results/2026-11-30-sorting.txt.
    static constexpr std::int64_t few = (parts ? 2048 : 512) / sizeof(Key), fewest = std::max<std::int64_t>(16, 2 * width);

    struct range {
        Key *from, *other;
        std::int64_t n, wanted, skipped;
        int depth;             // so often it may still be parted
        bool turned = false;   // the result is to be at `other`
        bool bounded = false;  // no key is below `bound`
        Key bound = 0;

        bool is_done() const { return wanted <= 0 || skipped >= n; }
        Key* home() const { return turned ? other : from; }
        void come_home() const {
            if (turned) std::copy_n(from, n, other);
        }
    };

    static void sort_range(range r) {
        while (r.n > few) {
            if (r.is_done()) return r.come_home();
            if (r.depth-- == 0) {
                r.come_home();
                return sort_digits(r.home(), r.turned ? r.from : r.other, r.n);
            }
            const Key pivot = middle_of(r.from, r.n);
            // Those that are equal to the least key are in order among themselves.
            const bool is_least = r.bounded && pivot == r.bound;
            if (is_least && pivot == std::numeric_limits<Key>::max()) return r.come_home();
            const std::int64_t low = part(r.from, r.other, r.n, is_least ? pivot + 1 : pivot);
            const range first{r.other, r.from, low, r.wanted, r.skipped, r.depth, !r.turned, r.bounded, r.bound};
            if (is_least) first.come_home();
            else sort_range(first);
            r = {r.other + low, r.from + low, r.n - low, r.wanted - low, r.skipped - low, r.depth, !r.turned, true, pivot};
        }
        if (r.is_done()) r.come_home();
        else sort_few(r);
    }

    static void sort_few(const range& r) {
        if (r.n < fewest) {
            r.come_home();
            return std::sort(r.home(), r.home() + r.n);
        }
        alignas(64) Key row[few], sorted[few];
        std::copy_n(r.from, r.n, row);
        network::sort_row(row, sorted, r.n);
        std::copy_n(sorted, r.n, r.home());
    }

    static Key middle(Key a, Key b, Key c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }
    static Key middle(const Key* k, std::int64_t step) {
        return middle(middle(k[0], k[step], k[2 * step]), middle(k[3 * step], k[4 * step], k[5 * step]), middle(k[6 * step], k[7 * step], k[8 * step]));
    }
    /// The middle of the middles of three and three of nine keys, or of many of nine times nine.
    static Key middle_of(const Key* keys, std::int64_t n) {
        constexpr std::int64_t many = 8192;
        if (n < many) return middle(keys + n / 18, n / 9);
        Key of[9];
        for (std::int64_t i = 0; i < 9; ++i) of[i] = middle(keys + n * (2 * i + 1) / 162, n / 9);
        return middle(of, 1);
    }

    // The room between what is parted already that the two stores of `put` want: each of a whole register, or, by masks, one of them.
    static constexpr std::int64_t least_gap = CROTON_HAS_AVX512 ? width : 2 * width;

    // `put`: the lanes of `v` below the limit come to `low`, and the others end before `high`; lanes of between are written, too. Gives how many are below.
#if CROTON_HAS_AVX512
    CROTON_INLINE static std::int64_t put(Key* low, Key* high, const V& v, const V& limits) {
        const __m512i all = std::bit_cast<__m512i>(v);
        if constexpr (sizeof(Key) == 4) {
            const __mmask16 is_low = _mm512_cmplt_epi32_mask(all, std::bit_cast<__m512i>(limits));
            const int count = std::popcount(static_cast<unsigned>(is_low));
            _mm512_storeu_si512(low, _mm512_maskz_compress_epi32(is_low, all));
            _mm512_mask_storeu_epi32(high - (width - count), static_cast<__mmask16>(0xffffu >> count), _mm512_maskz_compress_epi32(static_cast<__mmask16>(~is_low), all));
            return count;
        } else {
            const __mmask8 is_low = _mm512_cmplt_epi64_mask(all, std::bit_cast<__m512i>(limits));
            const int count = std::popcount(static_cast<unsigned>(is_low));
            _mm512_storeu_si512(low, _mm512_maskz_compress_epi64(is_low, all));
            _mm512_mask_storeu_epi64(high - (width - count), static_cast<__mmask8>(0xffu >> count), _mm512_maskz_compress_epi64(static_cast<__mmask8>(~is_low), all));
            return count;
        }
    }
#elif CROTON_HAS_AVX2
    // For each set of lanes its words, and behind them those of all others.
    static constexpr auto orders = [] {
        std::array<std::uint64_t, std::size_t{1} << width> all{};
        constexpr int words = static_cast<int>(sizeof(Key)) / 4;
        for (std::size_t set = 0; set < all.size(); ++set) {
            int at = 0;
            for (const std::size_t first : {1u, 0u})
                for (int lane = 0; lane < width; ++lane)
                    for (int w = 0; w < words && (set >> lane & 1) == first; ++w, ++at) all[set] |= static_cast<std::uint64_t>(lane * words + w) << (8 * at);
        }
        return all;
    }();

    CROTON_INLINE static std::int64_t put(Key* low, Key* high, const V& v, const V& limits) {
        const auto is_low = v < limits;
        unsigned set;
        if constexpr (sizeof(Key) == 4) set = static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(is_low)));
        else set = static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(is_low)));
        const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&orders[set])));
        const V parted = std::bit_cast<V>(_mm256_permutevar8x32_epi32(std::bit_cast<__m256i>(v), order));
        network::store(low, parted);
        network::store(high - width, parted);
        return std::popcount(set);
    }
#endif
#endif
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
