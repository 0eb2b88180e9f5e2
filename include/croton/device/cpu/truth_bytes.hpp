// SPDX-License-Identifier: MIT
// Bytes as the truth values of a register of SSE2 or AVX2, and back: xsimd 8 and compilers do it number by number.
#ifndef CROTON_DEVICE_CPU_TRUTH_BYTES_HPP
#define CROTON_DEVICE_CPU_TRUTH_BYTES_HPP

#include <croton/device/cpu/avx512.hpp>

#if CROTON_HAS_XSIMD

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::simd {

/// Empty unless `A` is an instruction set with registers of 16 or 32 bytes of x86; a template, so that a branch not taken need not compile.
template <class A> struct truth_bytes {};
template <class A> inline constexpr bool has_truth_bytes = false;

#if CROTON_HAS_SSE2

template <class A> inline constexpr bool is_sse2 = std::is_base_of_v<xsimd::sse2, A> && sizeof(xsimd::batch<float, A>) == 16;

/// load: any byte but 0 is true. store: a byte of 0 or 1 for each of the numbers of T that fill a register.
template <class A>
    requires is_sse2<A>
struct truth_bytes<A> {
    template <class T> CROTON_INLINE static xsimd::batch_bool<T, A> load(const bool* p) {
        std::int32_t bytes = 0;
        std::memcpy(&bytes, p, 16 / sizeof(T));
        __m128i wide = _mm_cvtsi32_si128(bytes);
        wide = _mm_unpacklo_epi8(wide, wide);
        wide = _mm_unpacklo_epi16(wide, wide);
        if constexpr (sizeof(T) == 8) wide = _mm_unpacklo_epi32(wide, wide);
        const __m128i all = _mm_set1_epi32(-1), truth = _mm_xor_si128(_mm_cmpeq_epi32(wide, _mm_setzero_si128()), all);
        if constexpr (sizeof(T) == 4) return {_mm_castsi128_ps(truth)};
        else return {_mm_castsi128_pd(truth)};
    }
    CROTON_INLINE static void store(bool* p, const xsimd::batch_bool<float, A>& m) { store<4>(p, _mm_castps_si128(m.data)); }
    CROTON_INLINE static void store(bool* p, const xsimd::batch_bool<double, A>& m) {
        store<2>(p, _mm_shuffle_epi32(_mm_castpd_si128(m.data), _MM_SHUFFLE(2, 0, 2, 0)));
    }

private:
    template <std::size_t N> CROTON_INLINE static void store(bool* p, __m128i words) {
        const __m128i halves = _mm_packs_epi32(words, words);
        const std::int32_t bytes = _mm_cvtsi128_si32(_mm_and_si128(_mm_packs_epi16(halves, halves), _mm_set1_epi8(1)));
        std::memcpy(p, &bytes, N);
    }
};
template <class A>
    requires is_sse2<A>
inline constexpr bool has_truth_bytes<A> = true;

#endif

#if CROTON_HAS_AVX2

template <class A> inline constexpr bool is_avx2 = std::is_base_of_v<xsimd::avx2, A> && sizeof(xsimd::batch<float, A>) == 32;

template <class A>
    requires is_avx2<A>
struct truth_bytes<A> {
    template <class T> CROTON_INLINE static xsimd::batch_bool<T, A> load(const bool* p) {
        if constexpr (sizeof(T) == 4) {
            const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
            return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(wide, _mm256_setzero_si256()))};
        } else {
            std::int32_t bytes;
            std::memcpy(&bytes, p, sizeof(bytes));
            const __m256i wide = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
            return {_mm256_castsi256_pd(_mm256_cmpgt_epi64(wide, _mm256_setzero_si256()))};
        }
    }
    CROTON_INLINE static void store(bool* p, const xsimd::batch_bool<float, A>& m) {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(p), bytes_of(_mm256_castps_si256(m.data)));
    }
    CROTON_INLINE static void store(bool* p, const xsimd::batch_bool<double, A>& m) {
        const __m256i words = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(m.data), _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
        const std::int32_t bytes = _mm_cvtsi128_si32(bytes_of(words));
        std::memcpy(p, &bytes, sizeof(bytes));
    }

private:
    CROTON_INLINE static __m128i bytes_of(__m256i words) {
        const __m128i halves = _mm_packs_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        return _mm_and_si128(_mm_packs_epi16(halves, halves), _mm_set1_epi8(1));
    }
};
template <class A>
    requires is_avx2<A>
inline constexpr bool has_truth_bytes<A> = true;

#endif

}  // namespace croton::inline v0_1::simd

#endif

#endif
