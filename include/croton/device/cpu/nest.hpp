// SPDX-License-Identifier: MIT
// The loop axes of a step as memory sees them: merged where strides allow, and packed tiles where they do not.
#ifndef CROTON_DEVICE_CPU_NEST_HPP
#define CROTON_DEVICE_CPU_NEST_HPP

#include <croton/config.hpp>
#include <croton/kernel/argument.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

using kernel::operand;

/// The longest piece of a run that is packed at once, in elements.
inline constexpr std::int64_t tile_length = 512;

// An int as the bound of an array.
template <int N> inline constexpr std::size_t bound = static_cast<std::size_t>(N);

/// Some of the loop axes, with the strides of each slot in bytes.
template <int Slots> struct nest {
    int rank;
    std::int64_t extent[max_rank] = {};  // g++ does not see that `rank` of them are set
    std::int64_t stride[bound<Slots>][max_rank];

    std::int64_t size() const {
        std::int64_t n = 1;
        for (int a = 0; a < rank; ++a) n *= extent[a];
        return n;
    }
};

/// How axes may change their form.
struct axis_rules {
    bool merge;           // false where indices are values: axes keep their numbers
    bool keep_innermost;  // the innermost axis stays even if its extent is 1
};

/// Writes the axes `first .. first + rank` to `extent` and `stride`, merging neighbours that every slot with
/// `bytes[slot] != 0` walks evenly, and dropping axes of extent 1. Returns the new rank.
template <class Arch>
int collapse(int first, int rank, const std::int64_t* extents, const operand* slots, int count,
             const std::uint8_t* bytes, axis_rules rules, std::int64_t* extent, std::int64_t (*stride)[max_rank]) {
    int kept = 0;
    for (int a = 0; a < rank; ++a) {
        const std::int64_t n = extents[first + a];
        const auto axis = static_cast<std::size_t>(first + a);
        if (rules.merge && n == 1 && !(rules.keep_innermost && a == rank - 1)) continue;
        bool even = rules.merge && kept > 0;
        for (int s = 0; even && s < count; ++s)
            even = bytes[s] == 0 || stride[s][kept - 1] == slots[s].stride[axis] * n * bytes[s];
        if (even) {
            extent[kept - 1] *= n;
        } else {
            extent[kept++] = n;
        }
        for (int s = 0; s < count; ++s) stride[s][kept - 1] = slots[s].stride[axis] * bytes[s];
    }
    return kept;
}

/// Sets every element of a slot, over the axes it varies along, to the `bytes` low bytes of `bits`.
template <class Arch>
void fill(const operand& slot, int rank, const std::int64_t* extents, std::uint64_t bits, std::size_t bytes) {
    std::int64_t index[max_rank] = {}, extent[max_rank], step[max_rank];
    int kept = 0;
    for (int a = 0; a < rank; ++a) {
        const std::int64_t stride = slot.stride[static_cast<std::size_t>(a)];
        if (stride == 0) continue;
        if (extents[a] == 0) return;
        extent[kept] = extents[a];
        step[kept++] = stride * static_cast<std::int64_t>(bytes);
    }
    std::byte* p = slot.data;
    for (;;) {
        std::memcpy(p, &bits, bytes);
        int a = kept - 1;
        for (; a >= 0; --a) {
            p += step[a];
            if (++index[a] < extent[a]) break;
            p -= step[a] * extent[a];
            index[a] = 0;
        }
        if (a < 0) return;
    }
}

/// Words of any element type, and a register of them, as far as shuffles go.
template <class Word> struct words {
    static constexpr int count = 32 / static_cast<int>(sizeof(Word));
    typedef Word one [[gnu::may_alias]];
    typedef Word type [[gnu::vector_size(32)]];
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

/// Every second word.
template <class Arch, class Word> void copy_alternate(typename words<Word>::one* to, const typename words<Word>::one* from, std::int64_t count) {
    std::int64_t i = 0;
#if CROTON_HAS_SHUFFLES
    if constexpr (sizeof(Word) >= 4) {
        constexpr int lanes = words<Word>::count;
        typename words<Word>::type v, w;
        // The word behind the last one may be no memory.
        for (; i + lanes < count; i += lanes) {
            std::memcpy(&v, from + 2 * i, sizeof v);
            std::memcpy(&w, from + 2 * i + lanes, sizeof w);
            if constexpr (lanes == 8) v = __builtin_shufflevector(v, w, 0, 2, 4, 6, 8, 10, 12, 14);
            else v = __builtin_shufflevector(v, w, 0, 2, 4, 6);
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
