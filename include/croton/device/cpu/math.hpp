// SPDX-License-Identifier: MIT
// Elementary functions of one SIMD register where those of xsimd 8 overflow early, flush denormals or lose digits.
#ifndef CROTON_DEVICE_CPU_MATH_HPP
#define CROTON_DEVICE_CPU_MATH_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/avx512.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::simd::math {

/// Whether the instruction set multiplies and adds with one rounding.
template <class A> inline constexpr bool fuses = has_avx512<A> || std::string_view(A::name()).find("fma") != std::string_view::npos;

/// @name a b + c, a b - c and c - a b, rounded once where `fuses`. Those of xsimd 8 are two operations on AVX-512, which not every compiler joins, and
/// g++ not where the product is needed besides.
/// @{
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> fma(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const xsimd::batch<T, A>& c) {
    if constexpr (has_avx512<A>) return avx512<A>::fma(a, b, c);
    else return xsimd::fma(a, b, c);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> fms(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const xsimd::batch<T, A>& c) {
    if constexpr (has_avx512<A>) return avx512<A>::fms(a, b, c);
    else return xsimd::fms(a, b, c);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> fnma(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, const xsimd::batch<T, A>& c) {
    if constexpr (has_avx512<A>) return avx512<A>::fnma(a, b, c);
    else return xsimd::fnma(a, b, c);
}
/// @}

/// Whether all are normal numbers above 0.
template <class T, class A> CROTON_INLINE bool all_normal(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    if constexpr (has_avx512_kinds<A>) return avx512<A>::all_normal(x);
    else return xsimd::all((x >= b(std::numeric_limits<T>::min())) & (x <= b(std::numeric_limits<T>::max())));
}

/// Applies a scalar function to every lane: for functions that are rare, or that no vector form gets right. One that gives bool
/// makes truth values.
template <class F, class T, class A, class... More>
auto each_lane(F f, const xsimd::batch<T, A>& first, const More&... more) {
    constexpr std::size_t size = xsimd::batch<T, A>::size;
    T lanes[1 + sizeof...(More)][size];
    std::size_t row = 1;
    first.store_unaligned(lanes[0]);
    (more.store_unaligned(lanes[row++]), ...);
    const auto at = [&]<std::size_t... I>(std::size_t i, std::index_sequence<I...>) { return f(lanes[I][i]...); };
    using sequence = std::make_index_sequence<1 + sizeof...(More)>;
    if constexpr (std::is_same_v<decltype(at(0, sequence())), bool>) {
        bool truth[size];
        for (std::size_t i = 0; i < size; ++i) truth[i] = at(i, sequence());
        return xsimd::batch_bool<T, A>::load_unaligned(truth);
    } else {
        for (std::size_t i = 0; i < size; ++i) lanes[0][i] = at(i, sequence());
        return xsimd::batch<T, A>::load_unaligned(lanes[0]);
    }
}

template <class T> struct exp_constants;
template <> struct exp_constants<float> {
    // Beyond these exp is 0 or infinity whatever follows. Up to `usual`, and `usual_of_two` for exp2, it is a normal number.
    static constexpr float low = -104.0f, high = 89.0f, usual = 87.0f, usual_of_two = 126.0f;
    static constexpr float inverse_log2 = 1.44269504088896341f, log2_high = 0.693359375f, log2_low = -2.12194440e-4f;
    static constexpr int mantissa = 23, bias = 127;
};
template <> struct exp_constants<double> {
    static constexpr double low = -746.0, high = 710.0, usual = 708.0, usual_of_two = 1022.0;
    static constexpr double inverse_log2 = 1.44269504088896340736, log2_high = 6.93147180369123816490e-01,
                            log2_low = 1.90821492927058770002e-10;
    static constexpr int mantissa = 52, bias = 1023;
};

/// c[0] + c[1] t + c[2] t^2 + ...; even and odd powers run side by side. Written out: not every optimisation unrolls a loop.
template <class T, class A, std::size_t N, std::size_t... I>
CROTON_INLINE xsimd::batch<T, A> polynomial(const xsimd::batch<T, A>& t, const T (&c)[N], std::index_sequence<I...>) {
    using b = xsimd::batch<T, A>;
    constexpr std::size_t last = N / 2 * 2 - 1, top = (N - 1) / 2 * 2;
    const b s = t * t;
    b even(c[top]), odd(c[last]);
    [[maybe_unused]] const auto step = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        if constexpr (K < top) even = math::fma(even, s, b(c[top - 2 - K]));
        if constexpr (K + 1 < last) odd = math::fma(odd, s, b(c[last - 2 - K]));
    };
    (step(std::integral_constant<std::size_t, 2 * I>{}), ...);
    return math::fma(odd, t, even);
}
template <class T, class A, std::size_t N> CROTON_INLINE xsimd::batch<T, A> polynomial(const xsimd::batch<T, A>& t, const T (&c)[N]) {
    return polynomial(t, c, std::make_index_sequence<(N - 1) / 2>());
}

/// exp(r) - 1 for |r| <= log(2) / 2.
template <class A> CROTON_INLINE xsimd::batch<float, A> expm1_reduced(const xsimd::batch<float, A>& r) {
    // Cephes expf: a minimax polynomial for (exp(r) - 1 - r) / r^2.
    using b = xsimd::batch<float, A>;
    b p = math::fma(b(1.9875691500e-4f), r, b(1.3981999507e-3f));
    p = math::fma(p, r, b(8.3334519073e-3f));
    p = math::fma(p, r, b(4.1665795894e-2f));
    p = math::fma(p, r, b(1.6666665459e-1f));
    p = math::fma(p, r, b(5.0000001201e-1f));
    return math::fma(p, r * r, r);
}
template <class A> CROTON_INLINE xsimd::batch<double, A> expm1_reduced(const xsimd::batch<double, A>& r) {
    // A minimax polynomial for (exp(r) - 1 - r) / r^2, within 2^-62 of exp(r).
    constexpr double c[] = {0.5, 0.1666666666666667, 0.041666666666666685, 0.00833333333332607, 0.0013888888888874261,
                            0.00019841269875050561, 2.480158734763407e-05, 2.7557255109115884e-06, 2.7557252633625205e-07, 2.510533799075349e-08, 2.092168432388588e-09};
    return math::fma(polynomial(r, c), r * r, r);
}

/// 2^k for a whole number k whose power is a normal number: the sum has it and the bias in its last bits.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> power_of_two(const xsimd::batch<T, A>& k) {
    using c = exp_constants<T>;
    using b = xsimd::batch<T, A>;
    using bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>, A>;
    constexpr T biased = T(std::uint64_t{3} << (c::mantissa - 1)) + T(c::bias);
    return xsimd::bitwise_cast<b>(xsimd::bitwise_cast<bits>(k + b(biased)) << c::mantissa);
}

/// x * 2^k for a whole number k and x from 0.5 to 1.5; rounds once, also to denormals.
template <class T, class A>
CROTON_INLINE xsimd::batch<T, A> scale(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& k) {
    if constexpr (has_avx512<A>) {
        return avx512<A>::scale(x, k);
    } else if constexpr (sizeof(T) == 4) {
        using b = xsimd::batch<T, A>;
        using integer = xsimd::batch<std::int32_t, A>;
        const integer e = xsimd::to_int(k), half = e >> 1;
        const auto power = [](const integer& i) { return xsimd::bitwise_cast<b>((i + integer(exp_constants<T>::bias)) << exp_constants<T>::mantissa); };
        return x * power(half) * power(e - half);
    } else {
        // Of most numbers the exponent is added to.
        using c = exp_constants<T>;
        using b = xsimd::batch<T, A>;
        using bits = xsimd::batch<std::uint64_t, A>;
        if (xsimd::all(xsimd::abs(k) <= b(T(c::bias - 2)))) [[likely]]
            return xsimd::bitwise_cast<b>(xsimd::bitwise_cast<bits>(x) + (xsimd::bitwise_cast<bits>(k + b(T(std::uint64_t{3} << (c::mantissa - 1)))) << c::mantissa));
        const b half = xsimd::nearbyint(k * b(T(0.5)));
        return x * power_of_two(half) * power_of_two(k - half);
    }
}

/// b^x, where 2 to the inverse of `inverse` is b, as y 2^k with y from 0.7 to 1.5. The last bits of `counted` are k.
template <class T, class A> struct exponential {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    using bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>, A>;
    static constexpr T whole = T(std::uint64_t{3} << (c::mantissa - 1));
    b counted, k, y;

    CROTON_INLINE static exponential of_e(const b& x) {
        exponential e;
        e.counted = math::fma(x, b(c::inverse_log2), b(whole));
        e.k = e.counted - b(whole);
        e.y = expm1_reduced(math::fnma(e.k, b(c::log2_low), math::fnma(e.k, b(c::log2_high), x))) + b(T(1));
        return e;
    }
    CROTON_INLINE static exponential of_two(const b& x) {
        exponential e;
        e.counted = x + b(whole);
        e.k = e.counted - b(whole);
        e.y = expm1_reduced((x - e.k) * b(T(0.693147180559945309417))) + b(T(1));
        return e;
    }
    /// Where the result is a normal number the exponent is added to.
    CROTON_INLINE b normal() const { return xsimd::bitwise_cast<b>(xsimd::bitwise_cast<bits>(y) + (xsimd::bitwise_cast<bits>(counted) << c::mantissa)); }
};

/// y 2^k of `e`, and 0 where x is below `low`. Such lanes are not multiplied: a product that is rounded to a denormal number or to 0 takes some
/// processors more than a hundred cycles, and what a mask left out of a softmax, which is minus infinity, would all be such.
template <class T, class A, class Exponential>
CROTON_INLINE xsimd::batch<T, A> scale_from(const xsimd::batch<T, A>& x, T low, Exponential of) {
    using b = xsimd::batch<T, A>;
    if constexpr (has_avx512<A>) {
        const auto e = of(x);
        return avx512<A>::scale_from(e.y, e.k, x, b(low));
    } else {
        const auto none = x < b(low);
        const auto e = of(xsimd::select(none, b(T(0)), x));
        return xsimd::select(none, b(T(0)), scale(e.y, e.k));
    }
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> exp_of_any(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    // min returns its second operand where one is NaN.
    return scale_from(x, c::low, [](const b& v) { return exponential<T, A>::of_e(xsimd::min(b(c::high), v)); });
}
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> rare_exp(xsimd::batch<T, A> x) { return exp_of_any(x); }
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> exp(const xsimd::batch<T, A>& x) {
    if constexpr (has_avx512<A>) return exp_of_any(x);
    const xsimd::batch<T, A> y = exponential<T, A>::of_e(x).normal();
    if (xsimd::all(xsimd::abs(x) <= xsimd::batch<T, A>(exp_constants<T>::usual))) [[likely]] return y;
    return rare_exp(x);
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> exp2_of_any(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    constexpr T bound = sizeof(T) == 4 ? T(160) : T(1100);
    return scale_from(x, -bound, [](const b& v) { return exponential<T, A>::of_two(xsimd::min(b(bound), v)); });
}
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> rare_exp2(xsimd::batch<T, A> x) { return exp2_of_any(x); }
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> exp2(const xsimd::batch<T, A>& x) {
    if constexpr (has_avx512<A>) return exp2_of_any(x);
    const xsimd::batch<T, A> y = exponential<T, A>::of_two(x).normal();
    if (xsimd::all(xsimd::abs(x) <= xsimd::batch<T, A>(exp_constants<T>::usual_of_two))) [[likely]] return y;
    return rare_exp2(x);
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> expm1(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    const b v = xsimd::max(b(T(-60)), xsimd::min(b(c::high), x));
    const b k = xsimd::nearbyint(v * b(c::inverse_log2));
    const b r = math::fnma(k, b(c::log2_low), math::fnma(k, b(c::log2_high), v));
    // Half of 2^k, because 2^k overflows before the result does.
    const b half = power_of_two(k - b(T(1)));
    const b y = math::fma(half, expm1_reduced(r), half - b(T(0.5)));
    return xsimd::select(xsimd::abs(x) < b(std::numeric_limits<T>::epsilon()), x, y + y);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
