// SPDX-License-Identifier: MIT
// fmod, nextafter and hypot of one SIMD register: exact, and within 1.2 units in the last place.
#ifndef CROTON_DEVICE_CPU_NEAR_HPP
#define CROTON_DEVICE_CPU_NEAR_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/division.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::simd::math {

/// The quotient of the sizes, rounded, is one too large at most; then its rest is exact as it is, and with b added.
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> fmod_of_any(xsimd::batch<T, A> a, xsimd::batch<T, A> b, T whole) {
    using batch = xsimd::batch<T, A>;
    const batch p = xsimd::abs(a), q = xsimd::abs(b), ratio = p / q, rest = math::fnma(xsimd::trunc(ratio), q, p);
    const batch near = xsimd::copysign(xsimd::select(rest < batch(T(0)), rest + q, rest), a);
    const auto inside = (ratio < batch(whole)) & (q <= batch(std::numeric_limits<T>::max()));
    return xsimd::all(inside) ? near : xsimd::select(inside, near, each_lane([](T v, T w) { return std::fmod(v, w); }, a, b));
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> fmod(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
    if constexpr (fuses<A>) {
        using batch = xsimd::batch<T, A>;
        constexpr T whole = T(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
        const batch p = xsimd::abs(a), q = xsimd::abs(b), ratio = p / q, rest = math::fnma(xsimd::trunc(ratio), q, p);
        // Infinities and NaN leave no rest that is a number.
        if (xsimd::all((ratio < batch(whole)) & (rest >= batch(T(0))))) [[likely]] return rest | xsimd::bitofsign(a);
        return fmod_of_any(a, b, whole);
    } else {
        return each_lane([](T v, T w) { return std::fmod(v, w); }, a, b);
    }
}
/// The larger size is moved to where its square is in range, by a power of 2.
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> hypot_of_any(xsimd::batch<T, A> a, xsimd::batch<T, A> b) {
    using batch = xsimd::batch<T, A>;
    constexpr bool f = sizeof(T) == 4;
    constexpr T high = f ? T(0x1p60) : T(0x1p500), low = f ? T(0x1p-40) : T(0x1p-400), down = f ? T(0x1p-80) : T(0x1p-600), up = f ? T(0x1p100) : T(0x1p700);
    const batch p = xsimd::abs(a), q = xsimd::abs(b), infinity(std::numeric_limits<T>::infinity());
    const batch most = xsimd::select(p > q, p, q);
    const auto large = most > batch(high), small = most < batch(low);
    const batch by = xsimd::select(large, batch(down), xsimd::select(small, batch(up), batch(T(1))));
    const batch back = xsimd::select(large, batch(1 / down), xsimd::select(small, batch(1 / up), batch(T(1))));
    const batch x = p * by, y = q * by;
    return xsimd::select((p == infinity) | (q == infinity), infinity, xsimd::sqrt(math::fma(x, x, y * y)) * back);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> hypot(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
    using batch = xsimd::batch<T, A>;
    // Beside this a square that is no normal number is nothing.
    constexpr T least = sizeof(T) == 4 ? T(0x1p-80) : T(0x1p-900);
    const batch squares = math::fma(a, a, b * b), near = math::sqrt(squares);
    const auto usual = (squares >= batch(least)) & (squares <= batch(std::numeric_limits<T>::max()));
    if (xsimd::all(usual)) [[likely]] return near;
    return xsimd::select(usual, near, hypot_of_any(a, b));
}
/// Where a is 0 or is b, or one is NaN.
template <class T, class A>
[[gnu::noinline]] xsimd::batch<T, A> nextafter_of_any(xsimd::batch<T, A> a, xsimd::batch<T, A> b, xsimd::batch<T, A> usual) {
    using batch = xsimd::batch<T, A>;
    const batch step = xsimd::select(a == batch(T(0)), xsimd::copysign(batch(std::numeric_limits<T>::denorm_min()), b), usual);
    return xsimd::select(a == b, b, xsimd::select((a == a) & (b == b), step, a + b));
}
/// One step of the bits, which count the numbers of one sign.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> nextafter(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
    using batch = xsimd::batch<T, A>;
    using bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, A>;
    const bits from = xsimd::bitwise_cast<bits>(a);
    const auto larger = b > a, above = a > batch(T(0));
    const batch y = xsimd::select(larger == above, xsimd::bitwise_cast<batch>(from + bits(1)), xsimd::bitwise_cast<batch>(from - bits(1)));
    if (xsimd::all((larger | (b < a)) & (above | (a < batch(T(0)))))) [[likely]] return y;
    return nextafter_of_any(a, b, y);
}
}  // namespace croton::inline v0_1::simd::math

#endif

#endif
