// SPDX-License-Identifier: MIT
// The AVX-512 instructions xsimd 8 has no name for: masked memory, truth values as bits, scaling by powers of two.
#ifndef CROTON_DEVICE_CPU_AVX512_HPP
#define CROTON_DEVICE_CPU_AVX512_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

// Without the optimiser g++ 12 reads two of its AVX-512 functions as macros that cast a class to a vector, which xsimd passes them.
#if CROTON_HAS_AVX512_MACROS
#include <immintrin.h>
#pragma push_macro("_mm512_mask_blend_epi8")
#pragma push_macro("_mm512_mask_blend_epi16")
#undef _mm512_mask_blend_epi8
#undef _mm512_mask_blend_epi16
#define _mm512_mask_blend_epi8(mask, a, b) ((__m512i)__builtin_ia32_blendmb_512_mask((__v64qi)(__m512i)(a), (__v64qi)(__m512i)(b), (__mmask64)(mask)))
#define _mm512_mask_blend_epi16(mask, a, b) ((__m512i)__builtin_ia32_blendmw_512_mask((__v32hi)(__m512i)(a), (__v32hi)(__m512i)(b), (__mmask32)(mask)))
#endif
CROTON_QUIET_BEGIN
#include <xsimd/xsimd.hpp>
CROTON_QUIET_END
#if CROTON_HAS_AVX512_MACROS
#pragma pop_macro("_mm512_mask_blend_epi8")
#pragma pop_macro("_mm512_mask_blend_epi16")
#endif

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::simd {

template <class A> inline constexpr bool has_avx512 = std::is_base_of_v<xsimd::avx512f, A>;
/// And its instructions for words of 8 and 16 bits, and for kinds of numbers.
template <class A> inline constexpr bool has_avx512_words = std::is_base_of_v<xsimd::avx512bw, A>;
template <class A> inline constexpr bool has_avx512_kinds = std::is_base_of_v<xsimd::avx512dq, A>;

/// Empty unless `A` is an AVX-512 instruction set; a template, so that a branch not taken need not compile.
template <class A> struct avx512 {};

#if CROTON_HAS_AVX512

template <class A>
    requires has_avx512<A>
struct avx512<A> {
    template <class T> using batch = xsimd::batch<T, A>;
    using bits = std::uint32_t;

    // Bytes to bits and back; any byte but 0 is true.
    CROTON_INLINE static bits load_16_bytes(const bool* p) {
        const __m512i wide = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
        return _mm512_test_epi32_mask(wide, wide);
    }
    CROTON_INLINE static bits load_8_bytes(const bool* p) {
        const __m512i wide = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
        return _mm512_test_epi64_mask(wide, wide);
    }
    CROTON_INLINE static void store_16_bytes(bool* p, bits m) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), ones(m)); }
    // By way of words: compilers make eight bits sixteen in another register and back.
    CROTON_INLINE static void store_8_bytes(bool* p, bits m) {
#if CROTON_HAS_AVX512_BYTES
        const std::uint64_t bytes = _pdep_u64(m, 0x0101010101010101u);
        std::memcpy(p, &bytes, 8);
#else
        _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm512_cvtepi64_epi8(_mm512_maskz_set1_epi64(static_cast<__mmask8>(m), 1)));
#endif
    }
    // A 1 for each of 16 bits, which are no more than what compares yields, for the same reason.
    CROTON_INLINE static __m128i ones(bits m) {
#if CROTON_HAS_AVX512_BYTES
        return _mm_maskz_mov_epi8(static_cast<__mmask16>(m), _mm_set1_epi8(1));
#else
        return _mm512_cvtepi32_epi8(_mm512_maskz_set1_epi32(static_cast<__mmask16>(m), 1));
#endif
    }

#if CROTON_HAS_AVX512_BYTES
    /// The first `count` of `Bytes` bytes, those of registers or of a part of one, whatever numbers they are; what is read behind them is zero.
    template <int Bytes> CROTON_INLINE static void read_few(std::byte* to, const void* from, int count) {
        const auto* const p = static_cast<const std::byte*>(from);
        if constexpr (Bytes >= 64) {
            for (int i = 0; i < Bytes; i += 64) _mm512_storeu_si512(to + i, _mm512_maskz_loadu_epi8(_bzhi_u64(~std::uint64_t{0}, clamped(count - i)), p + i));
        } else if constexpr (Bytes == 32) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_maskz_loadu_epi8(_bzhi_u32(~0u, static_cast<unsigned>(count)), p));
        } else {
            const __m128i v = _mm_maskz_loadu_epi8(static_cast<__mmask16>(_bzhi_u32(~0u, static_cast<unsigned>(count))), p);
            std::memcpy(to, &v, Bytes);
        }
    }
    template <int Bytes> CROTON_INLINE static void write_few(void* to, const std::byte* from, int count) {
        auto* const p = static_cast<std::byte*>(to);
        if constexpr (Bytes >= 64) {
            for (int i = 0; i < Bytes; i += 64) _mm512_mask_storeu_epi8(p + i, _bzhi_u64(~std::uint64_t{0}, clamped(count - i)), _mm512_loadu_si512(from + i));
        } else if constexpr (Bytes == 32) {
            _mm256_mask_storeu_epi8(p, _bzhi_u32(~0u, static_cast<unsigned>(count)), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
        } else {
            __m128i v = _mm_setzero_si128();
            std::memcpy(&v, from, Bytes);
            _mm_mask_storeu_epi8(p, static_cast<__mmask16>(_bzhi_u32(~0u, static_cast<unsigned>(count))), v);
        }
    }
    CROTON_INLINE static unsigned clamped(int count) { return static_cast<unsigned>(count < 0 ? 0 : count > 64 ? 64 : count); }
#endif

    template <class T> CROTON_INLINE static batch<T> load(const T* p, bits m) {
        if constexpr (std::is_same_v<T, float>) return {_mm512_maskz_loadu_ps(static_cast<__mmask16>(m), p)};
        else if constexpr (std::is_same_v<T, double>) return {_mm512_maskz_loadu_pd(static_cast<__mmask8>(m), p)};
        else if constexpr (sizeof(T) == 4) return {_mm512_maskz_loadu_epi32(static_cast<__mmask16>(m), p)};
        else return {_mm512_maskz_loadu_epi64(static_cast<__mmask8>(m), p)};
    }
    template <class T> CROTON_INLINE static void store(T* p, const batch<T>& v, bits m) {
        if constexpr (std::is_same_v<T, float>) _mm512_mask_storeu_ps(p, static_cast<__mmask16>(m), v.data);
        else if constexpr (std::is_same_v<T, double>) _mm512_mask_storeu_pd(p, static_cast<__mmask8>(m), v.data);
        else if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(p, static_cast<__mmask16>(m), v.data);
        else _mm512_mask_storeu_epi64(p, static_cast<__mmask8>(m), v.data);
    }

    CROTON_INLINE static batch<float> floats_of_words(const std::uint16_t* p) {
        return {_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))))};
    }

    CROTON_INLINE static batch<double> lower_as_double(const batch<float>& v) {
        return {_mm512_cvtps_pd(_mm512_castps512_ps256(v.data))};
    }
    CROTON_INLINE static batch<double> upper_as_double(const batch<float>& v) {
        return {_mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v.data), 1)))};
    }
    CROTON_INLINE static batch<float> as_float(const batch<double>& lower, const batch<double>& upper) {
        const __m512d low = _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(lower.data)));
        const __m256d high = _mm256_castps_pd(_mm512_cvtpd_ps(upper.data));
        return {_mm512_castpd_ps(_mm512_insertf64x4(low, high, 1))};
    }

    // a b + c, a b - c and c - a b, rounded once.
    CROTON_INLINE static batch<float> fma(const batch<float>& a, const batch<float>& b, const batch<float>& c) { return {_mm512_fmadd_ps(a.data, b.data, c.data)}; }
    CROTON_INLINE static batch<double> fma(const batch<double>& a, const batch<double>& b, const batch<double>& c) { return {_mm512_fmadd_pd(a.data, b.data, c.data)}; }
    CROTON_INLINE static batch<float> fms(const batch<float>& a, const batch<float>& b, const batch<float>& c) { return {_mm512_fmsub_ps(a.data, b.data, c.data)}; }
    CROTON_INLINE static batch<double> fms(const batch<double>& a, const batch<double>& b, const batch<double>& c) { return {_mm512_fmsub_pd(a.data, b.data, c.data)}; }
    CROTON_INLINE static batch<float> fnma(const batch<float>& a, const batch<float>& b, const batch<float>& c) { return {_mm512_fnmadd_ps(a.data, b.data, c.data)}; }
    CROTON_INLINE static batch<double> fnma(const batch<double>& a, const batch<double>& b, const batch<double>& c) { return {_mm512_fnmadd_pd(a.data, b.data, c.data)}; }

    // 1 / x and 1 / sqrt(x), within 2^-14 of them, for normal numbers x > 0.
    CROTON_INLINE static batch<float> first_inverse(const batch<float>& x) { return {_mm512_rcp14_ps(x.data)}; }
    CROTON_INLINE static batch<double> first_inverse(const batch<double>& x) { return {_mm512_rcp14_pd(x.data)}; }
    CROTON_INLINE static batch<float> first_inverse_root(const batch<float>& x) { return {_mm512_rsqrt14_ps(x.data)}; }
    CROTON_INLINE static batch<double> first_inverse_root(const batch<double>& x) { return {_mm512_rsqrt14_pd(x.data)}; }

    // Whether all numbers of both have sizes from `least` to `most`. Where one of two is not a number the other alone is looked at.
    CROTON_INLINE static bool all_between(const batch<double>& a, const batch<double>& b, double least, double most)
        requires has_avx512_kinds<A>
    {
        // The smaller and the larger of the two sizes.
        const __m512d small = _mm512_range_pd(a.data, b.data, 10), large = _mm512_range_pd(a.data, b.data, 11);
        const __mmask8 above = _mm512_cmp_pd_mask(small, _mm512_set1_pd(least), _CMP_GE_OQ);
        return _mm512_mask_cmp_pd_mask(above, large, _mm512_set1_pd(most), _CMP_LE_OQ) == 0xff;
    }

    // Whether all are normal numbers above 0.
    CROTON_INLINE static bool all_normal(const batch<float>& x)
        requires has_avx512_kinds<A>
    {
        return _mm512_fpclass_ps_mask(x.data, 0xff) == 0;
    }
    CROTON_INLINE static bool all_normal(const batch<double>& x)
        requires has_avx512_kinds<A>
    {
        return _mm512_fpclass_pd_mask(x.data, 0xff) == 0;
    }
    // Of a normal number above 0 as a power of 2 and a number from 1 to 2.
    CROTON_INLINE static batch<float> exponent(const batch<float>& x) { return {_mm512_getexp_ps(x.data)}; }
    CROTON_INLINE static batch<float> mantissa(const batch<float>& x) { return {_mm512_getmant_ps(x.data, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero)}; }

    // A third of whole numbers below 2^14, rounded down.
    template <class T> CROTON_INLINE static batch<T> third(const batch<T>& x)
        requires has_avx512_words<A>
    {
        return {_mm512_mulhi_epu16(x.data, _mm512_set1_epi16(21846))};
    }

    // Of each lane the entry of a table that the last five, or four, bits of `at` count.
    CROTON_INLINE static batch<float> picked(const float (&table)[32], const batch<std::uint32_t>& at) {
        return {_mm512_permutex2var_ps(_mm512_load_ps(table), at.data, _mm512_load_ps(table + 16))};
    }
    CROTON_INLINE static batch<double> picked(const double (&table)[16], const batch<std::uint64_t>& at) {
        return {_mm512_permutex2var_pd(_mm512_load_pd(table), at.data, _mm512_load_pd(table + 8))};
    }

    // x * 2^k, rounded once.
    CROTON_INLINE static batch<float> scale(const batch<float>& x, const batch<float>& k) {
        return {_mm512_scalef_ps(x.data, k.data)};
    }
    CROTON_INLINE static batch<double> scale(const batch<double>& x, const batch<double>& k) {
        return {_mm512_scalef_pd(x.data, k.data)};
    }
    // The same where v is not below `low`, which NaN is not, else 0.
    CROTON_INLINE static batch<float> scale_from(const batch<float>& x, const batch<float>& k, const batch<float>& v, const batch<float>& low) {
        return {_mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(v.data, low.data, _CMP_NLT_UQ), x.data, k.data)};
    }
    CROTON_INLINE static batch<double> scale_from(const batch<double>& x, const batch<double>& k, const batch<double>& v, const batch<double>& low) {
        return {_mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(v.data, low.data, _CMP_NLT_UQ), x.data, k.data)};
    }
};

#endif

}  // namespace croton::inline v0_1::simd

#endif

#endif
