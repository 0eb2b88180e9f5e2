// SPDX-License-Identifier: MIT
// The words of sixteen of Philox's counters, computed side by side.
#ifndef CROTON_DEVICE_CPU_PHILOX_HPP
#define CROTON_DEVICE_CPU_PHILOX_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/core/philox.hpp>
#include <croton/device/cpu/avx2.hpp>
#include <croton/device/cpu/lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::simd {

namespace detail {

/// The products of the lower halves of 64-bit lanes: one instruction, of which no compiler thinks by itself.
template <class V> CROTON_INLINE V product_of_lower(V a, V b) {
#if CROTON_HAS_AVX512
    if constexpr (sizeof(V) == 64) return __builtin_bit_cast(V, _mm512_mul_epu32(__builtin_bit_cast(__m512i, a), __builtin_bit_cast(__m512i, b)));
#endif
#if CROTON_HAS_AVX2
    if constexpr (sizeof(V) == 32) return __builtin_bit_cast(V, _mm256_mul_epu32(__builtin_bit_cast(__m256i, a), __builtin_bit_cast(__m256i, b)));
#endif
    return (a & 0xffffffffu) * (b & 0xffffffffu);
}

/// The four words of some counters, one in the lower half of each lane; nobody reads the upper halves.
template <class V> struct philox_lanes {
    V c0, c1, c2, c3;

    CROTON_INLINE philox_lanes(const random::philox_block& first, V counters)
        : c0(counters), c1(V{} + first.word[1]), c2(V{} + first.word[2]), c3(V{} + first.word[3]) {}
    CROTON_INLINE void round(V k0, V k1) {
        const V a = product_of_lower(V{} + std::uint64_t{0xd2511f53u}, c0), b = product_of_lower(V{} + std::uint64_t{0xcd9e8d57u}, c2);
        c0 = (b >> 32) ^ c1 ^ k0;
        c2 = (a >> 32) ^ c3 ^ k1;
        c1 = b;
        c3 = a;
    }
};
template <class V> CROTON_INLINE void store_neighbours(std::uint32_t* to, V even, V odd) {
    const V both = (even & 0xffffffffu) | (odd << 32);
    std::memcpy(to, &both, sizeof both);
}

}  // namespace detail

/// Four words of each of 16 counters, from `first` on: the first words of all, then the second. What `philox4x32` computes, in lanes of 64 bits: a
/// product there is one instruction, and its halves are the new words.
template <class A> [[gnu::noinline]] void philox_words(std::uint32_t (&words)[4][16], const random::philox_block& first, std::uint64_t key) {
    constexpr std::size_t bytes = croton::detail::cpu_device::register_bytes<A>(), lanes = bytes / 8;
    using V = typename croton::detail::cpu_device::lanes_of<std::uint64_t, bytes>::type;
    alignas(64) static constexpr std::uint64_t evens[8] = {0, 2, 4, 6, 8, 10, 12, 14};
    V counters;
    std::memcpy(&counters, evens, bytes);
    counters += first.word[0];
    for (std::size_t at = 0; at < 16; at += 2 * lanes, counters += 2 * lanes) {
        detail::philox_lanes<V> even(first, counters), odd(first, counters + 1);
        V k0 = V{} + (key & 0xffffffffu), k1 = V{} + (key >> 32);
        const auto round = [&]() CROTON_INLINED {
            even.round(k0, k1);
            odd.round(k0, k1);
            k0 += std::uint64_t{0x9e3779b9u};
            k1 += std::uint64_t{0xbb67ae85u};
        };
        // Two at a time: the results of one need not move to where the next one reads.
        for (int i = 0; i < 10; i += 2) {
            round();
            round();
        }
        detail::store_neighbours(words[0] + at, even.c0, odd.c0);
        detail::store_neighbours(words[1] + at, even.c1, odd.c1);
        detail::store_neighbours(words[2] + at, even.c2, odd.c2);
        detail::store_neighbours(words[3] + at, even.c3, odd.c3);
    }
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
