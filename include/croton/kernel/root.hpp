// SPDX-License-Identifier: MIT
// The square root of one number.
#ifndef CROTON_KERNEL_ROOT_HPP
#define CROTON_KERNEL_ROOT_HPP

#include <cmath>
#include <type_traits>

#include <croton/config.hpp>

#if CROTON_HAS_X86_TARGETS
#include <emmintrin.h>
#endif

namespace croton::inline v0_1::kernel {

/// The root as the processor has it. That of the standard library sets errno where there is none, for which compilers compare each number and call a function.
template <class T> CROTON_HD T root(T x) {
#if CROTON_HAS_X86_TARGETS
    // In every lane: zeros beside it take instructions, of a sum that the lanes of a register were folded to a mask from memory.
    if constexpr (std::is_same_v<T, float>) {
        const __m128 all = _mm_set1_ps(x);
        return _mm_cvtss_f32(_mm_sqrt_ss(all));
    } else if constexpr (std::is_same_v<T, double>) {
        const __m128d all = _mm_set1_pd(x);
        return _mm_cvtsd_f64(_mm_sqrt_sd(all, all));
    }
#endif
    return std::sqrt(x);
}

}  // namespace croton::inline v0_1::kernel

#endif
