// SPDX-License-Identifier: MIT
// A register of float from and to memory of half or bfloat16.
#ifndef CROTON_DEVICE_CPU_STORED_HPP
#define CROTON_DEVICE_CPU_STORED_HPP

#include <croton/core/half.hpp>
#include <croton/device/cpu/avx512.hpp>

#if CROTON_HAS_XSIMD

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::simd {

/// `N` numbers as compilers know a register.
template <class T, std::size_t N> struct vector_of {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};

/// Numbers stored as `T`, one register at a time, by the arithmetic on bits that every processor has.
template <class T, class A> struct stored {
    using batch = xsimd::batch<float, A>;
    using floats = typename vector_of<float, batch::size>::type;
    using words = typename vector_of<std::uint32_t, batch::size>::type;
    using shorts = typename vector_of<std::uint16_t, batch::size>::type;

    CROTON_INLINE static batch load(const T* p) {
        shorts narrow;
        std::memcpy(&narrow, p, sizeof narrow);
        const words wide = T::template widen<words, floats>(__builtin_convertvector(narrow, words));
        return {__builtin_bit_cast(typename batch::register_type, wide)};
    }
    CROTON_INLINE static void store(T* p, const batch& v) {
        const words wide = T::template narrow<words, floats>(__builtin_bit_cast(words, v.data));
        const shorts narrow = __builtin_convertvector(wide, shorts);
        std::memcpy(static_cast<void*>(p), &narrow, sizeof narrow);
    }
};

#if CROTON_HAS_AVX512

template <class A>
    requires has_avx512<A>
struct stored<half, A> {
    using batch = xsimd::batch<float, A>;

    CROTON_INLINE static batch load(const half* p) {
        return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
    }
    CROTON_INLINE static void store(half* p, const batch& v) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(v.data, _MM_FROUND_TO_NEAREST_INT));
    }
};

#endif

#if CROTON_HAS_F16C

template <class A>
    requires std::is_base_of_v<xsimd::avx2, A>  // every processor with AVX2 has F16C
struct stored<half, A> {
    using batch = xsimd::batch<float, A>;

    CROTON_INLINE static batch load(const half* p) {
        return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)))};
    }
    CROTON_INLINE static void store(half* p, const batch& v) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v.data, _MM_FROUND_TO_NEAREST_INT));
    }
};

#endif

}  // namespace croton::inline v0_1::simd

#endif

#endif
