// SPDX-License-Identifier: MIT
// The words of 32 of Philox's counters, computed side by side.
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
#include <utility>

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

/// The factors of Philox and the steps of its keys, as `philox4x32` has them.
inline constexpr std::uint64_t philox_m0 = 0xd2511f53, philox_m1 = 0xcd9e8d57;
inline constexpr std::uint32_t philox_k0 = 0x9e3779b9, philox_k1 = 0xbb67ae85;

/// The four words of some counters, one in the lower half of each lane; nobody reads the upper halves.
template <class V> struct philox_lanes {
    V c0, c1, c2, c3;

    CROTON_INLINE void round(V k0, V k1) {
        const V a = product_of_lower(V{} + philox_m0, c0), b = product_of_lower(V{} + philox_m1, c2);
        c0 = (b >> 32) ^ c1 ^ k0;
        c2 = (a >> 32) ^ c3 ^ k1;
        c1 = b;
        c3 = a;
    }
    /// The last round: `c0` holds the first word above the second one, `c2` the third above the fourth.
    CROTON_INLINE void last_round(V k0, V k1) {
        const V a = product_of_lower(V{} + philox_m0, c0), b = product_of_lower(V{} + philox_m1, c2);
        c0 = b ^ (c1 << 32) ^ (k0 << 32);
        c2 = a ^ (c3 << 32) ^ (k1 << 32);
    }
};

}  // namespace detail

/// The 64-bit words of 32 counters, from `first` on, in the order that `random_word` has: `take(q, words, behind)` for each register of counters, whose
/// words have the numbers from `q` and from `q` + 8 on. What `philox4x32` computes, in lanes of 64 bits: a product there is one instruction, and its
/// halves are the new words.
template <class A> CROTON_INLINE void philox_words(const random::philox_block& first, std::uint64_t key, const auto& take) {
    constexpr std::size_t bytes = croton::detail::cpu_device::register_bytes<A>(), lanes = bytes / 8;
    // So many registers of counters at once that one's products are ready when the others have been given theirs.
    constexpr std::size_t count = bytes == 16 ? 2 : 4;
    using V = typename croton::detail::cpu_device::lanes_of<std::uint64_t, bytes>::type;
    alignas(64) static constexpr std::uint64_t steps[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const V m0 = V{} + detail::philox_m0, m1 = V{} + detail::philox_m1;
    // The counters differ in their first words alone: of the first two rounds half the products are the same for all.
    const auto key_of = [&](std::uint64_t half, std::uint32_t step, std::uint32_t round) { return static_cast<std::uint32_t>(half) + step * round; };
    const std::uint64_t b0 = detail::philox_m1 * first.word[2];
    const std::uint64_t a1 = detail::philox_m0 * static_cast<std::uint32_t>(b0 >> 32 ^ first.word[1] ^ key_of(key, detail::philox_k0, 0));
    const V before2 = V{} + (first.word[3] ^ key_of(key >> 32, detail::philox_k1, 0));
    const V same0 = V{} + (b0 ^ key_of(key, detail::philox_k0, 1)), same2 = V{} + (a1 >> 32 ^ key_of(key >> 32, detail::philox_k1, 1)), same3 = V{} + a1;
    V counters;
    std::memcpy(&counters, steps, bytes);
    counters += first.word[0];
    const auto each = [&]<std::size_t... I>(std::index_sequence<I...>, const auto& f) CROTON_INLINED { (f(I), ...); };
    constexpr std::make_index_sequence<count> all;
    for (std::size_t from = 0; from < 32; from += count * lanes) {
        detail::philox_lanes<V> at[count];
        each(all, [&](std::size_t i) CROTON_INLINED {
            const V a = detail::product_of_lower(m0, counters), b = detail::product_of_lower(m1, (a >> 32) ^ before2);
            at[i] = {(b >> 32) ^ same0, b, a ^ same2, same3};
            counters += lanes;
        });
        V k0 = V{} + key_of(key, detail::philox_k0, 2), k1 = V{} + key_of(key >> 32, detail::philox_k1, 2);
        const auto round = [&]() CROTON_INLINED {
            each(all, [&](std::size_t i) CROTON_INLINED { at[i].round(k0, k1); });
            k0 += detail::philox_k0;
            k1 += detail::philox_k1;
        };
        // Two at a time: the results of one need not move to where the next one reads.
        round();
        for (int i = 3; i < 9; i += 2) {
            round();
            round();
        }
        each(all, [&](std::size_t i) CROTON_INLINED {
            at[i].last_round(k0, k1);
            const std::size_t counter = from + i * lanes, q = counter / 8 * 16 + counter % 8;
            take(q, at[i].c0, at[i].c2);
        });
    }
}
template <class A> [[gnu::noinline]] void philox_words(std::uint64_t (&words)[64], const random::philox_block& first, std::uint64_t key) {
    philox_words<A>(first, key, [&](std::size_t q, const auto& some, const auto& behind) CROTON_INLINED {
        std::memcpy(words + q, &some, sizeof some);
        std::memcpy(words + q + 8, &behind, sizeof behind);
    });
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
