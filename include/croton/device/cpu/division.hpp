// SPDX-License-Identifier: MIT
// Quotients and square roots of one SIMD register by a first guess and products, where AVX-512's divider, which works beside the multipliers, has too much to do.
#ifndef CROTON_DEVICE_CPU_DIVISION_HPP
#define CROTON_DEVICE_CPU_DIVISION_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/math.hpp>

#include <cmath>
#include <limits>

namespace croton::inline v0_1::simd::math {

/// a / b within 0.6 units in the last place, for what functions divide on their way: b is neither large nor small, and where a / b is as small as the smallest numbers
/// are it is within one of them.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> ratio(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
    if constexpr (has_avx512<A>) {
        xsimd::batch<T, A> inverse = avx512<A>::first_inverse(b);
        if constexpr (sizeof(T) == 8) {
            const xsimd::batch<T, A> e = math::fnma(b, inverse, xsimd::batch<T, A>(T(1)));
            inverse = math::fma(inverse, math::fma(e, e, e), inverse);
        }
        const xsimd::batch<T, A> q = a * inverse;
        return math::fma(math::fnma(b, q, a), inverse, q);
    } else {
        return a / b;
    }
}
/// Whether there is a `quotient` of products.
template <class T, class A> inline constexpr bool divides_by_products = false;
#if CROTON_HAS_AVX512
template <class A> inline constexpr bool divides_by_products<double, A> = has_avx512_kinds<A>;
#endif

/// x / y, rounded as it must be. Eleven products take less time than the divider with its 16 cycles of a register of double, and more than the multipliers have left beside it in
/// a longer formula. What the last step adds to a quotient within a unit is rounded as it must be where the inverse is (Markstein, as below), and where mantissas of y are not within
/// 2^-26 of 2 also where the inverse is a little more than half a unit away. Near 2 they are 2 - j 2^-52, and the inverse is above 1/2 + j 2^-54 by j^2 2^-107: it needs to be rounded
/// up for an odd j, and is, because it is made larger by 2^-80, which is more than its steps lose. Of what is 0, no number, large or small, so that a step would leave the normal
/// numbers, the processor's.
template <class T, class A>
    requires divides_by_products<T, A>
CROTON_INLINE xsimd::batch<T, A> quotient(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& y) {
    using b = xsimd::batch<T, A>;
    if (avx512<A>::all_between(x, y, 0x1p-500, 0x1p500)) [[likely]] {
        const b one(T(1));
        b inverse = avx512<A>::first_inverse(y), rest = math::fnma(y, inverse, one);
        inverse = math::fma(inverse, math::fma(rest, rest, rest), inverse);
        b q = x * inverse;
        q = math::fma(math::fnma(y, q, x), inverse, q);
        rest = math::fnma(y, inverse, one) + b(T(0x1p-80));
        inverse = math::fma(rest, inverse, inverse);
        return math::fma(math::fnma(y, q, x), inverse, q);
    }
    return x / y;
}
/// The root, rounded as it must be: what the last step adds to a root within one unit is as exact as half the inverse of the root is (Markstein, Computation of
/// elementary functions on the IBM RISC System/6000 processor, 1990). tests/device/cpu/division_test.cpp has all that lie nearest to the middle of two numbers. Of 0, infinity and
/// what is so small that its rest is none, the processor's.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> sqrt(const xsimd::batch<T, A>& x) {
    if constexpr (has_avx512<A> && CROTON_HAS_SLOW_DIVIDER) {
        using b = xsimd::batch<T, A>;
        const b half(T(0.5)), first = avx512<A>::first_inverse_root(x);
        b g = x * first, h = first * half, rest = math::fnma(g, h, half);
        g = math::fma(g, rest, g);
        h = math::fma(h, rest, h);
        if constexpr (sizeof(T) == 8) {
            rest = math::fnma(g, h, half);
            g = math::fma(g, rest, g);
            h = math::fma(h, rest, h);
        }
        constexpr T least = sizeof(T) == 4 ? T(0x1p-70) : T(0x1p-900);
        if (xsimd::all((x >= b(least)) & (x <= b(std::numeric_limits<T>::max())))) [[likely]] return math::fma(math::fnma(g, g, x), h, g);
    }
    return xsimd::sqrt(x);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
