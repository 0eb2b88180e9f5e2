// SPDX-License-Identifier: MIT
// The AVX2 instructions xsimd 8 has no name for: reading some lanes of a register.
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
    /// The first `count` numbers of a register, 0 where it is negative, and zeros; what lies behind them is not touched.
    template <class T> CROTON_INLINE static xsimd::batch<T, A> load(const T* p, int count) {
        constexpr int lanes = 32 / static_cast<int>(sizeof(T));
        alignas(64) static constexpr std::int32_t words[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
        const int taken = count < 0 ? 0 : count < lanes ? count : lanes;
        const __m256i mask = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + 8 - taken * (8 / lanes)));
        if constexpr (std::is_same_v<T, float>) return {_mm256_maskload_ps(p, mask)};
        else if constexpr (std::is_same_v<T, double>) return {_mm256_maskload_pd(p, mask)};
        else if constexpr (sizeof(T) == 4) return {_mm256_maskload_epi32(reinterpret_cast<const int*>(p), mask)};
        else return {_mm256_maskload_epi64(reinterpret_cast<const long long*>(p), mask)};
    }
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
