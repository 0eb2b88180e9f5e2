// SPDX-License-Identifier: MIT
// Elements some way apart, copied side by side, and back.
#ifndef CROTON_DEVICE_CPU_STRIDED_HPP
#define CROTON_DEVICE_CPU_STRIDED_HPP

#include <croton/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Words of any element type, and a register of them, as far as shuffles go.
template <class Word> struct words {
    static constexpr int count = 32 / static_cast<int>(sizeof(Word));
    typedef Word one [[gnu::may_alias]];
    typedef Word type [[gnu::vector_size(32)]];
    // Compilers know more ways to mix numbers than to mix words.
    using number = std::conditional_t<sizeof(Word) == 8, double, float>;
    typedef number numbers [[gnu::vector_size(32)]];
    typedef number half [[gnu::vector_size(16)]];
};

/// `count` words side by side, the last one first: from `from` on downwards.
template <class Arch, class Word> void copy_reversed(typename words<Word>::one* to, const typename words<Word>::one* from, std::int64_t count) {
    std::int64_t i = 0;
#if CROTON_HAS_SHUFFLES
    if constexpr (sizeof(Word) >= 4) {
        constexpr int lanes = words<Word>::count;
        typename words<Word>::type v;
        for (; i + lanes <= count; i += lanes) {
            std::memcpy(&v, from - i - (lanes - 1), sizeof v);
            if constexpr (lanes == 8) v = __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0);
            else v = __builtin_shufflevector(v, v, 3, 2, 1, 0);
            std::memcpy(to + i, &v, sizeof v);
        }
    }
#endif
    for (; i < count; ++i) to[i] = from[-i];
}

#if CROTON_HAS_COMPUTED_SHUFFLES && CROTON_HAS_AVX512
/// Registers of 64 bytes, in which one shuffle takes every second word of two.
template <class Word> struct alternate {
    static constexpr int count = 64 / static_cast<int>(sizeof(Word));
    using word = typename words<Word>::one;
    typedef typename words<Word>::number full [[gnu::vector_size(64)]];

    /// `Early`: the second register is read one word before its place, because what lies behind the last word may be no memory.
    template <bool Early, int... I> CROTON_INLINE static void copy(word* to, const word* from, std::integer_sequence<int, I...>) {
        full a, b;
        std::memcpy(&a, from, sizeof a);
        std::memcpy(&b, from + count - (Early ? 1 : 0), sizeof b);
        const full v = __builtin_shufflevector(a, b, (2 * I + (Early && 2 * I >= count ? 1 : 0))...);
        std::memcpy(to, &v, sizeof v);
    }

    /// Copies as many of `words` words as fill registers, and says how many those are.
    static std::int64_t run(word* to, const word* from, std::int64_t words) {
        constexpr auto all = std::make_integer_sequence<int, count>{};
        std::int64_t i = 0;
        for (; i + count < words; i += count) copy<false>(to + i, from + 2 * i, all);
        if (i + count != words) return i;
        copy<true>(to + i, from + 2 * i, all);
        return words;
    }
};
#endif

/// Every second word.
template <class Arch, class Word> void copy_alternate(typename words<Word>::one* to, const typename words<Word>::one* from, std::int64_t count) {
    std::int64_t i = 0;
#if CROTON_HAS_COMPUTED_SHUFFLES && CROTON_HAS_AVX512
    if constexpr (sizeof(Word) >= 4) i = alternate<Word>::run(to, from, count);
#endif
#if CROTON_HAS_SHUFFLES
    if constexpr (sizeof(Word) >= 4) {
        constexpr int lanes = words<Word>::count;
        // Halves of four registers, so that no word leaves its half.
        constexpr int half = lanes / 2;
        typename words<Word>::half a, b, c, d;
        typename words<Word>::numbers v;
        // The word behind the last one may be no memory.
        for (; i + lanes < count; i += lanes) {
            std::memcpy(&a, from + 2 * i, sizeof a);
            std::memcpy(&b, from + 2 * i + half, sizeof b);
            std::memcpy(&c, from + 2 * i + lanes, sizeof c);
            std::memcpy(&d, from + 2 * i + lanes + half, sizeof d);
            if constexpr (lanes == 8) {
                const auto even = __builtin_shufflevector(a, c, 0, 1, 2, 3, 4, 5, 6, 7), odd = __builtin_shufflevector(b, d, 0, 1, 2, 3, 4, 5, 6, 7);
                v = __builtin_shufflevector(even, odd, 0, 2, 8, 10, 4, 6, 12, 14);
            } else {
                const auto even = __builtin_shufflevector(a, c, 0, 1, 2, 3), odd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
                v = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
            }
            std::memcpy(to + i, &v, sizeof v);
        }
    }
#endif
    for (; i < count; ++i) to[i] = from[2 * i];
}

template <class Arch, class Word>
void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                  std::int64_t count) {
    constexpr std::int64_t unit = sizeof(Word);
    using word = typename words<Word>::one;
    word* const t = reinterpret_cast<word*>(to);
    const word* const f = reinterpret_cast<const word*>(from);
    const std::int64_t step = from_stride / unit, apart = to_stride / unit;
    if (to_stride == unit && step == -1) return copy_reversed<Arch, Word>(t, f, count);
    if (to_stride == unit && step == 2) return copy_alternate<Arch, Word>(t, f, count);
    std::int64_t i = 0;
    if (to_stride == unit) {
        for (; i + 4 <= count; i += 4) {
            const Word* const at = f + i * step;
            const Word a = at[0], b = at[step], c = at[2 * step], d = at[3 * step];
            t[i] = a;
            t[i + 1] = b;
            t[i + 2] = c;
            t[i + 3] = d;
        }
    }
    for (; i < count; ++i) t[i * apart] = f[i * step];
}

/// Copies `count` elements of `bytes` bytes, one of those that are set in `Widths`; strides in bytes.
template <class Arch, unsigned Widths>
void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                  std::int64_t count, int bytes) {
    if (to_stride == bytes && from_stride == bytes) {
        std::memmove(to, from, static_cast<std::size_t>(count * bytes));
        return;
    }
    if constexpr ((Widths & 4u) != 0)
        if (bytes == 4) return copy_strided<Arch, std::uint32_t>(to, to_stride, from, from_stride, count);
    if constexpr ((Widths & 8u) != 0)
        if (bytes == 8) return copy_strided<Arch, std::uint64_t>(to, to_stride, from, from_stride, count);
    if constexpr ((Widths & 2u) != 0)
        if (bytes == 2) return copy_strided<Arch, std::uint16_t>(to, to_stride, from, from_stride, count);
    if constexpr ((Widths & 1u) != 0) copy_strided<Arch, std::uint8_t>(to, to_stride, from, from_stride, count);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
