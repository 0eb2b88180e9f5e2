// SPDX-License-Identifier: MIT
// A register of float from and to memory of half or bfloat16.
#ifndef CROTON_DEVICE_CPU_STORED_HPP
#define CROTON_DEVICE_CPU_STORED_HPP

#include <croton/core/half.hpp>
#include <croton/device/cpu/avx512.hpp>

#if CROTON_HAS_XSIMD

#include <cstddef>

namespace croton::inline v0_1::simd {

/// Numbers stored as `T`, one register at a time: loops that compilers vectorise.
template <class T, class A> struct stored_lanes {
    using batch = xsimd::batch<float, A>;

    CROTON_INLINE static batch load(const T* p) {
        alignas(64) float lanes[batch::size];
        for (std::size_t i = 0; i < batch::size; ++i) lanes[i] = p[i];
        return batch::load_aligned(lanes);
    }
    CROTON_INLINE static void store(T* p, const batch& v) {
        alignas(64) float lanes[batch::size];
        v.store_aligned(lanes);
        for (std::size_t i = 0; i < batch::size; ++i) p[i] = lanes[i];
    }
};
template <class T, class A> struct stored : stored_lanes<T, A> {};

#if CROTON_HAS_F16C

template <class A>
    requires std::is_base_of_v<xsimd::avx, A>
struct stored<half, A> {
    using batch = xsimd::batch<float, A>;

    CROTON_INLINE static batch load(const half* p) {
        const auto* const memory = reinterpret_cast<const __m128i*>(p);
#if CROTON_HAS_AVX512
        if constexpr (has_avx512<A>) return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)))};
        else
#endif
            return {_mm256_cvtph_ps(_mm_loadu_si128(memory))};
    }
    CROTON_INLINE static void store(half* p, const batch& v) {
#if CROTON_HAS_AVX512
        if constexpr (has_avx512<A>) _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtps_ph(v.data, _MM_FROUND_TO_NEAREST_INT));
        else
#endif
            _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v.data, _MM_FROUND_TO_NEAREST_INT));
    }
};

#endif

}  // namespace croton::inline v0_1::simd

#endif

#endif
