// SPDX-License-Identifier: MIT
// fmod, nextafter, hypot and cbrt of one SIMD register: exact, and within 1.2 and 1.1 units in the last place.
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
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> fmod_of_any(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, T whole) {
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
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> hypot_of_any(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b) {
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
/// The root of a normal number above 0, which is m 2^(3 q) with m from 1 to 8. A polynomial knows one over the root of m to 3e-3, and e, how far the cube
/// of that times m is from 1, the rest: y, m times its square, is (1 - e)^(2/3) of the root, and of what y was rounded by a third is left. No quotient is
/// needed.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cbrt_of_normal(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using bits = xsimd::batch<word, A>;
    constexpr T of_one = T(word{1} << c::mantissa);  // its last bits are a whole number
    constexpr word whole = word{c::bias + c::mantissa} << c::mantissa;
    const bits all = xsimd::bitwise_cast<bits>(x);
    const b exponent = xsimd::bitwise_cast<b>((all >> c::mantissa) | bits(whole)) - b(of_one + T(c::bias));
    // x with 3 q taken from its exponent.
    const b near = math::fms(exponent, b(T(1.0 / 3)), b(T(1.0 / 3))), counted = near + b(T(std::uint64_t{3} << (c::mantissa - 1)));
    const bits third = xsimd::bitwise_cast<bits>(counted) << c::mantissa;
    const b m = xsimd::bitwise_cast<b>(all - (third + third + third));
    constexpr T inverse[] = {T(1.4248992222808653), T(-0.59667328846062884), T(0.20382650988221686), T(-0.038611014842548681), T(0.0036960143368107338), T(-0.00013940263827424114)};
    const b r = polynomial(m, inverse), y = m * (r * r), e = math::fnma(y, r, b(T(1)));
    b rest;
    if constexpr (sizeof(T) == 4) {
        constexpr T terms[] = {T(2.0 / 3), T(5.0 / 9), T(40.0 / 81)};
        rest = polynomial(e, terms);
    } else {
        constexpr T terms[] = {T(0.66666666666666667), T(0.55555555555557736), T(0.49382716049384816), T(0.45267489498675907),
                               T(0.42249656859111906), T(0.39907667820196368), T(0.38007357863063183)};
        rest = polynomial(e, terms);
    }
    const b root = math::fma(y * e, rest, y);
    return xsimd::bitwise_cast<b>(xsimd::bitwise_cast<bits>(root) + third);
}
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> cbrt_of_any(const xsimd::batch<T, A>& size) {
    using b = xsimd::batch<T, A>;
    const auto tiny = size < b(std::numeric_limits<T>::min());
    const b root = cbrt_of_normal(xsimd::select(tiny, size * b(T(0x1p54)), size)) * xsimd::select(tiny, b(T(0x1p-18)), b(T(1)));
    return xsimd::select((size == b(T(0))) | ~(size <= b(std::numeric_limits<T>::max())), size, root);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cbrt(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const b size = xsimd::abs(x);
    const auto usual = (size >= b(std::numeric_limits<T>::min())) & (size <= b(std::numeric_limits<T>::max()));
    return (xsimd::all(usual) ? cbrt_of_normal(size) : cbrt_of_any(size)) ^ xsimd::bitofsign(x);
}

/// Where a is 0 or is b, or one is NaN.
template <class T, class A>
[[gnu::noinline]] xsimd::batch<T, A> nextafter_of_any(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const xsimd::batch<T, A>& usual) {
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
