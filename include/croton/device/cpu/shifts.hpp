// SPDX-License-Identifier: MIT
// Shifts of compilers' vectors of integers, each lane by its own number.
#ifndef CROTON_DEVICE_CPU_SHIFTS_HPP
#define CROTON_DEVICE_CPU_SHIFTS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/widths.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::simd {

namespace detail {

enum class shift { left, right, signed_right };
/// Whether one instruction shifts each such lane by a number of its own: by the width and more to 0, or to the sign.
template <shift Way, class T, std::size_t W>
inline constexpr bool is_one_shift = CROTON_HAS_AVX2 && (sizeof(T) == 4 || sizeof(T) == 8) && (sizeof(T) * W == 16 || sizeof(T) * W == 32 || (sizeof(T) * W == 64 && CROTON_HAS_AVX512)) &&
                                     (Way != shift::signed_right || sizeof(T) == 4 || sizeof(T) * W == 64);

#if CROTON_HAS_AVX2

template <shift Way, std::size_t Bytes> CROTON_INLINE __m128i shifted_lanes(__m128i x, __m128i by) {
    if constexpr (Way == shift::left) return Bytes == 4 ? _mm_sllv_epi32(x, by) : _mm_sllv_epi64(x, by);
    else if constexpr (Way == shift::right) return Bytes == 4 ? _mm_srlv_epi32(x, by) : _mm_srlv_epi64(x, by);
    else return _mm_srav_epi32(x, by);
}
template <shift Way, std::size_t Bytes> CROTON_INLINE __m256i shifted_lanes(__m256i x, __m256i by) {
    if constexpr (Way == shift::left) return Bytes == 4 ? _mm256_sllv_epi32(x, by) : _mm256_sllv_epi64(x, by);
    else if constexpr (Way == shift::right) return Bytes == 4 ? _mm256_srlv_epi32(x, by) : _mm256_srlv_epi64(x, by);
    else return _mm256_srav_epi32(x, by);
}
#if CROTON_HAS_AVX512
template <shift Way, std::size_t Bytes> CROTON_INLINE __m512i shifted_lanes(__m512i x, __m512i by) {
    if constexpr (Way == shift::left) return Bytes == 4 ? _mm512_sllv_epi32(x, by) : _mm512_sllv_epi64(x, by);
    else if constexpr (Way == shift::right) return Bytes == 4 ? _mm512_srlv_epi32(x, by) : _mm512_srlv_epi64(x, by);
    else return Bytes == 4 ? _mm512_srav_epi32(x, by) : _mm512_srav_epi64(x, by);
}
#endif
template <shift Way, class T, std::size_t W> CROTON_INLINE vector_t<T, W> shifted_at_once(const vector_t<T, W>& x, const vector_t<T, W>& by) {
    const auto in_register = [](const vector_t<T, W>& v) CROTON_INLINED {
        if constexpr (sizeof v == 16) return __builtin_bit_cast(__m128i, v);
        else if constexpr (sizeof v == 32) return __builtin_bit_cast(__m256i, v);
#if CROTON_HAS_AVX512
        else return __builtin_bit_cast(__m512i, v);
#endif
    };
    return __builtin_bit_cast(vector_t<T, W>, shifted_lanes<Way, sizeof(T)>(in_register(x), in_register(by)));
}

#else

/// A branch not taken need not be defined.
template <shift Way, class T, std::size_t W> vector_t<T, W> shifted_at_once(const vector_t<T, W>& x, const vector_t<T, W>& by);

#endif

/// Shifts by less than the width. Few processors shift bytes and halves by a number of their own: those go by 1, 2, 4 and 8 where the bit of the number says so.
template <bool Left, class U, std::size_t W> CROTON_INLINE vector_t<U, W> shifted_by_less(vector_t<U, W> x, vector_t<U, W> by) {
    constexpr int width = 8 * static_cast<int>(sizeof(U));
    if constexpr (sizeof(U) >= 4) {
        const vector_t<U, W> less = by & U(width - 1);
        return Left ? x << less : x >> less;
    } else {
        const auto step = [&]<int Count>() CROTON_INLINED {
            if constexpr (Count < width) x = (by & U(Count)) != U(0) ? (Left ? x << Count : x >> Count) : x;
        };
        step.template operator()<1>();
        step.template operator()<2>();
        step.template operator()<4>();
        step.template operator()<8>();
        return x;
    }
}

}  // namespace detail

/// `x` times 2^`by`, of what does not leave the number: 0 by its width and more, or by a negative number.
template <class T, std::size_t W> CROTON_INLINE vector_t<T, W> vector_shifted_left(const vector_t<T, W>& x, const vector_t<T, W>& by) {
    using U = std::make_unsigned_t<T>;
    using words = vector_t<U, W>;
    if constexpr (detail::is_one_shift<detail::shift::left, T, W>) {
        return detail::shifted_at_once<detail::shift::left, T, W>(x, by);
    } else {
        const words b = (words)by, shifted = detail::shifted_by_less<true, U, W>((words)x, b);
        return (vector_t<T, W>)((words)(b < U(8 * sizeof(U))) & shifted);
    }
}

/// `x` by 2^`by`, rounded down: what has a sign is turned to what has none, and back.
template <class T, std::size_t W> CROTON_INLINE vector_t<T, W> vector_shifted_right(const vector_t<T, W>& x, const vector_t<T, W>& by) {
    using U = std::make_unsigned_t<T>;
    using words = vector_t<U, W>;
    constexpr detail::shift way = std::is_unsigned_v<T> ? detail::shift::right : detail::shift::signed_right;
    if constexpr (detail::is_one_shift<way, T, W>) {
        return detail::shifted_at_once<way, T, W>(x, by);
    } else if constexpr (std::is_unsigned_v<T>) {
        const words b = (words)by, fits = (words)(b < U(8 * sizeof(U)));
        return fits & detail::shifted_by_less<false, U, W>(x, b);
    } else {
        const words b = (words)by, fits = (words)(b < U(8 * sizeof(U))), negative = (words)(x < T(0));
        return (vector_t<T, W>)((fits & detail::shifted_by_less<false, U, W>((words)x ^ negative, b)) ^ negative);
    }
}

/// The bits that are set, counted in pairs, of those in fours, and so on.
template <class T, std::size_t W> CROTON_INLINE vector_t<T, W> vector_counted_bits(const vector_t<T, W>& x) {
    using U = std::make_unsigned_t<T>;
    constexpr U all = static_cast<U>(~U(0));
    vector_t<U, W> v = (vector_t<U, W>)x;
    v -= (v >> 1) & U(all / 3);
    v = (v & U(all / 5)) + ((v >> 2) & U(all / 5));
    v = (v + (v >> 4)) & U(all / 17);
    if constexpr (sizeof(T) > 1) v += v >> 8;
    if constexpr (sizeof(T) > 2) v += v >> 16;
    if constexpr (sizeof(T) > 4) v += v >> 32;
    return (vector_t<T, W>)(v & U(127));
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
