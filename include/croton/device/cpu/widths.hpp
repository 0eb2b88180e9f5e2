// SPDX-License-Identifier: MIT
// Vectors of integers as vectors of wider or narrower ones. Compilers go lane by lane where the sizes differ by more than a factor of two.
#ifndef CROTON_DEVICE_CPU_WIDTHS_HPP
#define CROTON_DEVICE_CPU_WIDTHS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/stored.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::simd {

/// The signed integer of so many bytes.
template <std::size_t Bytes>
using signed_of = std::conditional_t<Bytes == 1, std::int8_t, std::conditional_t<Bytes == 2, std::int16_t, std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;

template <class T, std::size_t W> using vector_t = typename vector_of<T, W>::type;

namespace detail {

#if CROTON_HAS_AVX2

/// The bytes of a vector in the low part of a register.
template <class V> CROTON_INLINE __m128i low_register(const V& v) {
    if constexpr (sizeof(V) == 16) return __builtin_bit_cast(__m128i, v);
    else if constexpr (sizeof(V) == 8) return _mm_cvtsi64_si128(__builtin_bit_cast(long long, v));
    else return _mm_cvtsi32_si128(__builtin_bit_cast(int, v));
}

/// Eight ints, or four int64, of narrower numbers.
template <class From> CROTON_INLINE __m256i eight_ints(__m128i v) {
    if constexpr (sizeof(From) == 1) return std::is_signed_v<From> ? _mm256_cvtepi8_epi32(v) : _mm256_cvtepu8_epi32(v);
    else return std::is_signed_v<From> ? _mm256_cvtepi16_epi32(v) : _mm256_cvtepu16_epi32(v);
}
template <class From> CROTON_INLINE __m256i four_int64(__m128i v) {
    if constexpr (sizeof(From) == 1) return std::is_signed_v<From> ? _mm256_cvtepi8_epi64(v) : _mm256_cvtepu8_epi64(v);
    else if constexpr (sizeof(From) == 2) return std::is_signed_v<From> ? _mm256_cvtepi16_epi64(v) : _mm256_cvtepu16_epi64(v);
    else return std::is_signed_v<From> ? _mm256_cvtepi32_epi64(v) : _mm256_cvtepu32_epi64(v);
}
template <class From> CROTON_INLINE __m128i four_ints(__m128i v) {
    if constexpr (sizeof(From) == 1) return std::is_signed_v<From> ? _mm_cvtepi8_epi32(v) : _mm_cvtepu8_epi32(v);
    else return std::is_signed_v<From> ? _mm_cvtepi16_epi32(v) : _mm_cvtepu16_epi32(v);
}
template <class From> CROTON_INLINE __m256i sixteen_halves(__m128i v) { return std::is_signed_v<From> ? _mm256_cvtepi8_epi16(v) : _mm256_cvtepu8_epi16(v); }
/// The low bytes of eight ints.
CROTON_INLINE long long eight_bytes(__m256i v) {
    const __m256i low = _mm256_shuffle_epi8(v, _mm256_set1_epi32(0x0c080400));
    return _mm_cvtsi128_si64(_mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}
/// The low words of four int64.
CROTON_INLINE __m128i four_words(__m256i v) {
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(_mm256_castsi256_si128(v)), _mm_castsi128_ps(_mm256_extracti128_si256(v, 1)), _MM_SHUFFLE(2, 0, 2, 0)));
}
/// The low halves of eight ints.
CROTON_INLINE __m128i eight_halves(__m256i v) {
    const __m256i low = _mm256_shuffle_epi8(v, _mm256_set1_epi64x(0x0d0c090805040100));
    return _mm_unpacklo_epi64(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
}

#endif

#if CROTON_HAS_AVX512

/// Whether these whole numbers fill a register of 64 bytes before or behind, and lie in a part of one otherwise.
template <class To, class From, std::size_t W>
inline constexpr bool is_resized_by_avx512 = std::is_integral_v<From> && std::is_integral_v<To> &&
                                             ((W == 16 && ((sizeof(To) == 4 && sizeof(From) < 4) || (sizeof(From) == 4 && sizeof(To) < 4))) ||
                                              (W == 8 && ((sizeof(To) == 8 && sizeof(From) < 8) || (sizeof(From) == 8 && sizeof(To) < 8))) ||
                                              (CROTON_HAS_AVX512_BYTES != 0 && W == 32 && sizeof(From) + sizeof(To) == 3));

/// Compilers take `__builtin_convertvector` apart into its elements here.
template <class To, class From, std::size_t W> CROTON_INLINE vector_t<To, W> resized_by_avx512(const vector_t<From, W>& v) {
    constexpr bool is_signed = std::is_signed_v<From>;
    const auto as_result = [](const auto& x) CROTON_INLINED { return __builtin_bit_cast(vector_t<To, W>, x); };
#if CROTON_HAS_AVX512_BYTES
    if constexpr (W == 32) {
        if constexpr (sizeof(From) == 2) return as_result(_mm512_cvtepi16_epi8(__builtin_bit_cast(__m512i, v)));
        else return as_result(is_signed ? _mm512_cvtepi8_epi16(__builtin_bit_cast(__m256i, v)) : _mm512_cvtepu8_epi16(__builtin_bit_cast(__m256i, v)));
    } else
#endif
    if constexpr (sizeof(From) < sizeof(To)) {
        if constexpr (sizeof(v) == 32) {
            const __m256i x = __builtin_bit_cast(__m256i, v);
            if constexpr (W == 16) return as_result(is_signed ? _mm512_cvtepi16_epi32(x) : _mm512_cvtepu16_epi32(x));
            else return as_result(is_signed ? _mm512_cvtepi32_epi64(x) : _mm512_cvtepu32_epi64(x));
        } else {
            const __m128i x = low_register(v);
            if constexpr (W == 16) return as_result(is_signed ? _mm512_cvtepi8_epi32(x) : _mm512_cvtepu8_epi32(x));
            else if constexpr (sizeof(From) == 2) return as_result(is_signed ? _mm512_cvtepi16_epi64(x) : _mm512_cvtepu16_epi64(x));
            else return as_result(is_signed ? _mm512_cvtepi8_epi64(x) : _mm512_cvtepu8_epi64(x));
        }
    } else {
        const __m512i x = __builtin_bit_cast(__m512i, v);
        if constexpr (W == 16) {
            if constexpr (sizeof(To) == 2) return as_result(_mm512_cvtepi32_epi16(x));
            else return as_result(_mm512_cvtepi32_epi8(x));
        } else {
            if constexpr (sizeof(To) == 4) return as_result(_mm512_cvtepi64_epi32(x));
            else if constexpr (sizeof(To) == 2) return as_result(_mm512_cvtepi64_epi16(x));
            else return as_result(static_cast<long long>(_mm_cvtsi128_si64(_mm512_cvtepi64_epi8(x))));
        }
    }
}

#endif

template <class To, class From, std::size_t W> CROTON_INLINE vector_t<To, W> converted(const vector_t<From, W>& v) {
#if CROTON_HAS_AVX512
    if constexpr (is_resized_by_avx512<To, From, W>) return resized_by_avx512<To, From, W>(v);
    else
#endif
#if CROTON_HAS_AVX2
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        if constexpr (W == 8 && sizeof(To) == 4 && sizeof(From) < 4) return __builtin_bit_cast(vector_t<To, W>, eight_ints<From>(low_register(v)));
        else if constexpr (W == 4 && sizeof(To) == 8 && sizeof(From) < 8) return __builtin_bit_cast(vector_t<To, W>, four_int64<From>(low_register(v)));
        else if constexpr (W == 4 && sizeof(To) == 4 && sizeof(From) < 4) return __builtin_bit_cast(vector_t<To, W>, four_ints<From>(low_register(v)));
        else if constexpr (W == 16 && sizeof(To) == 2 && sizeof(From) == 1) return __builtin_bit_cast(vector_t<To, W>, sixteen_halves<From>(low_register(v)));
        else if constexpr (W == 8 && sizeof(From) == 4 && sizeof(To) == 1) return __builtin_bit_cast(vector_t<To, W>, eight_bytes(__builtin_bit_cast(__m256i, v)));
        else if constexpr (W == 8 && sizeof(From) == 4 && sizeof(To) == 2) return __builtin_bit_cast(vector_t<To, W>, eight_halves(__builtin_bit_cast(__m256i, v)));
        else if constexpr (W == 4 && sizeof(From) == 8 && sizeof(To) == 4) return __builtin_bit_cast(vector_t<To, W>, four_words(__builtin_bit_cast(__m256i, v)));
        else return __builtin_convertvector(v, vector_t<To, W>);
    } else if constexpr (W == 4 && std::is_same_v<From, std::int32_t> && std::is_same_v<To, double>) {
        return __builtin_bit_cast(vector_t<To, W>, _mm256_cvtepi32_pd(__builtin_bit_cast(__m128i, v)));
    } else
#endif
    // By way of what has the size between.
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && sizeof(From) == 1 && sizeof(To) >= 4) {
        using between = std::conditional_t<std::is_signed_v<From>, std::int16_t, std::uint16_t>;
        return __builtin_convertvector(__builtin_convertvector(v, vector_t<between, W>), vector_t<To, W>);
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && sizeof(From) >= 4 && sizeof(To) == 1) {
        return __builtin_convertvector(__builtin_convertvector(v, vector_t<std::uint16_t, W>), vector_t<To, W>);
    } else {
        return __builtin_convertvector(v, vector_t<To, W>);
    }
}

}  // namespace detail

/// The numbers of a vector as numbers of another type, as static_cast has it.
template <class To, class From, std::size_t W> CROTON_INLINE vector_t<To, W> vector_cast(const vector_t<From, W>& v) {
    if constexpr (std::is_integral_v<From> && sizeof(From) < 4 && std::is_floating_point_v<To>)
        return detail::converted<To, std::int32_t, W>(detail::converted<std::int32_t, From, W>(v));
    else return detail::converted<To, From, W>(v);
}

namespace detail {

#if CROTON_HAS_COMPUTED_SHUFFLES
template <std::size_t First, class T, std::size_t W, class V, std::size_t... I> CROTON_INLINE vector_t<T, W> cut(const V& v, std::index_sequence<I...>) {
    return __builtin_shufflevector(v, v, static_cast<int>(First + I)...);
}
template <class T, std::size_t W, std::size_t... I> CROTON_INLINE vector_t<T, 2 * W> joined(const vector_t<T, W>& a, const vector_t<T, W>& b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, static_cast<int>(I)...);
}
#else
template <std::size_t First, class T, std::size_t W, class V, class All> CROTON_INLINE vector_t<T, W> cut(const V& v, All) {
    vector_t<T, W> some;
    std::memcpy(&some, reinterpret_cast<const char*>(&v) + First * sizeof(T), sizeof some);
    return some;
}
template <class T, std::size_t W, class All> CROTON_INLINE vector_t<T, 2 * W> joined(const vector_t<T, W>& a, const vector_t<T, W>& b, All) {
    vector_t<T, 2 * W> both;
    std::memcpy(&both, &a, sizeof a);
    std::memcpy(reinterpret_cast<char*>(&both) + sizeof a, &b, sizeof b);
    return both;
}
#endif

}  // namespace detail

/// `W` neighbouring numbers of a vector, from number `First` on.
template <std::size_t First, class T, std::size_t W, class V> CROTON_INLINE vector_t<T, W> vector_cut(const V& v) {
    return detail::cut<First, T, W>(v, std::make_index_sequence<W>());
}
/// Two vectors side by side.
template <class T, std::size_t W> CROTON_INLINE vector_t<T, 2 * W> vector_joined(const vector_t<T, W>& a, const vector_t<T, W>& b) {
    return detail::joined<T, W>(a, b, std::make_index_sequence<2 * W>());
}
/// `W` neighbouring numbers of a vector as numbers of another type. Compilers make more than one instruction of parts of a register that they convert.
template <std::size_t First, class To, class From, std::size_t W, class V> CROTON_INLINE vector_t<To, W> vector_cast_cut(const V& v) {
#if CROTON_HAS_AVX2
    if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double> && W == 4 && sizeof v == 32)
        return __builtin_bit_cast(vector_t<To, W>, _mm256_cvtps_pd(_mm256_extractf128_ps(__builtin_bit_cast(__m256, v), First / W)));
    else
#endif
#if CROTON_HAS_SSE2
    if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double> && W == 2 && sizeof v == 16) {
        const __m128 x = __builtin_bit_cast(__m128, v);
        return __builtin_bit_cast(vector_t<To, W>, _mm_cvtps_pd(First == 0 ? x : _mm_movehl_ps(x, x)));
    } else
#endif
    return vector_cast<To, From, W>(vector_cut<First, From, W>(v));
}
/// Two vectors side by side, as numbers of another type.
template <class To, class From, std::size_t W> CROTON_INLINE vector_t<To, 2 * W> vector_cast_joined(const vector_t<From, W>& a, const vector_t<From, W>& b) {
#if CROTON_HAS_AVX2
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && W == 4 && sizeof(From) == 8 && sizeof(To) == 4) {
        const __m256 lower = _mm256_shuffle_ps(__builtin_bit_cast(__m256, a), __builtin_bit_cast(__m256, b), 0x88);
        return __builtin_bit_cast(vector_t<To, 2 * W>, _mm256_permute4x64_epi64(_mm256_castps_si256(lower), 0xd8));
    } else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float> && W == 4) {
        const auto half = [](const auto& v) { return _mm256_cvtpd_ps(__builtin_bit_cast(__m256d, v)); };
        return __builtin_bit_cast(vector_t<To, 2 * W>, _mm256_insertf128_ps(_mm256_castps128_ps256(half(a)), half(b), 1));
    } else
#endif
#if CROTON_HAS_SSE2
    if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float> && W == 2) {
        const auto half = [](const auto& v) { return _mm_cvtpd_ps(__builtin_bit_cast(__m128d, v)); };
        return __builtin_bit_cast(vector_t<To, 2 * W>, _mm_movelh_ps(half(a), half(b)));
    } else
#endif
    return vector_joined<To, W>(vector_cast<To, From, W>(a), vector_cast<To, From, W>(b));
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
