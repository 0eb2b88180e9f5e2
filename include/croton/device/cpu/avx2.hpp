// SPDX-License-Identifier: MIT
// The AVX2 instructions xsimd 8 has no name for: reading and writing some lanes of a register.
#ifndef CROTON_DEVICE_CPU_AVX2_HPP
#define CROTON_DEVICE_CPU_AVX2_HPP

#include <croton/device/cpu/avx512.hpp>

#if CROTON_HAS_XSIMD

#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::simd {

/// Empty unless `A` is an instruction set with AVX2; a template, so that a branch not taken need not compile.
template <class A> struct avx2 {};
template <class A, class T> inline constexpr bool masks_by_avx2 = false;

#if CROTON_HAS_AVX2

template <class A>
    requires std::is_base_of_v<xsimd::avx2, A>
struct avx2<A> {
    struct lane_mask {
        __m256i bits;
    };
    /// The first `count` numbers of type T, none of them where it is negative.
    template <class T> CROTON_INLINE static lane_mask first(std::int64_t count) {
        constexpr std::int64_t lanes = 32 / static_cast<std::int64_t>(sizeof(T));
        alignas(64) static constexpr std::int32_t words[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
        const std::int64_t taken = count < 0 ? 0 : count < lanes ? count : lanes;
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + 8 - taken * (8 / lanes)))};
    }
    /// Zeros stand for the others, which are not touched.
    template <class T> CROTON_INLINE static xsimd::batch<T, A> load(const T* p, const lane_mask& mask) {
        if constexpr (std::is_same_v<T, float>) return {_mm256_maskload_ps(p, mask.bits)};
        else if constexpr (std::is_same_v<T, double>) return {_mm256_maskload_pd(p, mask.bits)};
        else if constexpr (sizeof(T) == 4) return {_mm256_maskload_epi32(reinterpret_cast<const int*>(p), mask.bits)};
        else return {_mm256_maskload_epi64(reinterpret_cast<const long long*>(p), mask.bits)};
    }
    template <class T> CROTON_INLINE static xsimd::batch<T, A> load(const T* p, int count) { return load(p, first<T>(count)); }

    /// Writes the first `count` numbers, of which there are fewer than the register has, in halves of what is left: a store under a mask takes processors of AMD a dozen
    /// cycles, and what is read behind it waits for it.
    template <class T> CROTON_INLINE static void store(T* p, const xsimd::batch<T, A>& v, int count) {
        const __m256i all = bits_of(v.data);
        const int words = count * static_cast<int>(sizeof(T) / 4);
        auto* to = reinterpret_cast<char*>(p);
        __m128i left = _mm256_castsi256_si128(all);
        if ((words & 4) != 0) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), left);
            to += 16;
            left = _mm256_extracti128_si256(all, 1);
        }
        if ((words & 2) != 0) {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to), left);
            to += 8;
            left = _mm_unpackhi_epi64(left, left);
        }
        if constexpr (sizeof(T) == 4)
            if ((words & 1) != 0) _mm_storeu_si32(to, left);
    }

private:
    CROTON_INLINE static __m256i bits_of(const __m256& v) { return _mm256_castps_si256(v); }
    CROTON_INLINE static __m256i bits_of(const __m256d& v) { return _mm256_castpd_si256(v); }
    CROTON_INLINE static __m256i bits_of(const __m256i& v) { return v; }
};
template <class A, class T>
    requires std::is_base_of_v<xsimd::avx2, A>
inline constexpr bool masks_by_avx2<A, T> = !has_avx512<A> && std::is_arithmetic_v<T> && sizeof(T) >= 4;

#endif

/// The instruction set that has registers of half the size of those of `A`; void where there is none.
template <class A>
using half_register =
    std::conditional_t<has_avx512<A>, std::conditional_t<xsimd::fma3<xsimd::avx2>::supported(), xsimd::fma3<xsimd::avx2>, void>,
                       std::conditional_t<std::is_base_of_v<xsimd::avx2, A>, xsimd::sse4_2, void>>;

}  // namespace croton::inline v0_1::simd

#endif

#endif
