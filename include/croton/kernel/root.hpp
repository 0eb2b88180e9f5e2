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
    if constexpr (std::is_same_v<T, float>) return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
    else if constexpr (std::is_same_v<T, double>) return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
#endif
    return std::sqrt(x);
}

}  // namespace croton::inline v0_1::kernel

#endif
