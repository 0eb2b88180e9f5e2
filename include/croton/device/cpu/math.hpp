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
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::simd::math {

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
    // Beyond these exp is 0 or infinity whatever follows.
    static constexpr float low = -104.0f, high = 89.0f;
    static constexpr float inverse_log2 = 1.44269504088896341f, log2_high = 0.693359375f, log2_low = -2.12194440e-4f;
    static constexpr int mantissa = 23, bias = 127;
};
template <> struct exp_constants<double> {
    static constexpr double low = -746.0, high = 710.0;
    static constexpr double inverse_log2 = 1.44269504088896340736, log2_high = 6.93147180369123816490e-01,
                            log2_low = 1.90821492927058770002e-10;
    static constexpr int mantissa = 52, bias = 1023;
};

/// exp(r) - 1 for |r| <= log(2) / 2.
template <class A> CROTON_INLINE xsimd::batch<float, A> expm1_reduced(const xsimd::batch<float, A>& r) {
    // Cephes expf: a minimax polynomial for (exp(r) - 1 - r) / r^2.
    using b = xsimd::batch<float, A>;
    b p = xsimd::fma(b(1.9875691500e-4f), r, b(1.3981999507e-3f));
    p = xsimd::fma(p, r, b(8.3334519073e-3f));
    p = xsimd::fma(p, r, b(4.1665795894e-2f));
    p = xsimd::fma(p, r, b(1.6666665459e-1f));
    p = xsimd::fma(p, r, b(5.0000001201e-1f));
    return xsimd::fma(p, r * r, r);
}
template <class A> CROTON_INLINE xsimd::batch<double, A> expm1_reduced(const xsimd::batch<double, A>& r) {
    // Taylor to r^13: the remainder is 4e-18 on the reduced range. Even and odd halves run side by side.
    using b = xsimd::batch<double, A>;
    const b s = r * r;
    b odd = xsimd::fma(b(1.0 / 6227020800.0), s, b(1.0 / 39916800.0));
    b even = xsimd::fma(b(1.0 / 479001600.0), s, b(1.0 / 3628800.0));
    odd = xsimd::fma(odd, s, b(1.0 / 362880.0));
    even = xsimd::fma(even, s, b(1.0 / 40320.0));
    odd = xsimd::fma(odd, s, b(1.0 / 5040.0));
    even = xsimd::fma(even, s, b(1.0 / 720.0));
    odd = xsimd::fma(odd, s, b(1.0 / 120.0));
    even = xsimd::fma(even, s, b(1.0 / 24.0));
    odd = xsimd::fma(odd, s, b(1.0 / 6.0));
    even = xsimd::fma(even, s, b(0.5));
    return xsimd::fma(xsimd::fma(odd, r, even), s, r);
}

/// x * 2^k for an integer-valued k; rounds once, also to denormals.
template <class T, class A>
CROTON_INLINE xsimd::batch<T, A> scale(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& k) {
    if constexpr (has_avx512<A>) {
        return avx512<A>::scale(x, k);
    } else {
        using c = exp_constants<T>;
        const auto e = xsimd::to_int(k);
        const auto half = e >> 1;
        const auto power = [](const auto& i) {
            using integer = std::remove_cvref_t<decltype(i)>;
            return xsimd::bitwise_cast<xsimd::batch<T, A>>((i + integer(c::bias)) << c::mantissa);
        };
        return x * power(half) * power(e - half);
    }
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> exp(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    // min and max return their second operand where one is NaN.
    const b v = xsimd::max(b(c::low), xsimd::min(b(c::high), x));
    const b k = xsimd::nearbyint(v * b(c::inverse_log2));
    const b r = xsimd::fnma(k, b(c::log2_low), xsimd::fnma(k, b(c::log2_high), v));
    return scale(expm1_reduced(r) + b(T(1)), k);
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> exp2(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    constexpr T bound = sizeof(T) == 4 ? T(160) : T(1100);
    const b v = xsimd::max(b(-bound), xsimd::min(b(bound), x));
    const b k = xsimd::nearbyint(v);
    const b y = expm1_reduced((v - k) * b(T(0.693147180559945309417))) + b(T(1));
    return scale(y, k);
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> expm1(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    const b v = xsimd::max(b(T(-60)), xsimd::min(b(c::high), x));
    const b k = xsimd::nearbyint(v * b(c::inverse_log2));
    const b r = xsimd::fnma(k, b(c::log2_low), xsimd::fnma(k, b(c::log2_high), v));
    // Half of 2^k, because 2^k overflows before the result does.
    const b half = scale(b(T(0.5)), k);
    const b y = xsimd::fma(half, expm1_reduced(r), half - b(T(0.5)));
    return xsimd::select(xsimd::abs(x) < b(std::numeric_limits<T>::epsilon()), x, y + y);
}

// The logarithms of xsimd 8 take denormal doubles for zero exponents; these see them scaled by 2^54.
template <class T, class A, class F>
CROTON_INLINE xsimd::batch<T, A> of_normal(F f, const xsimd::batch<T, A>& x, double of_two_to_54) {
    if constexpr (sizeof(T) == 4) {
        return f(x);
    } else {
        using b = xsimd::batch<T, A>;
        const auto tiny = x < b(std::numeric_limits<T>::min());
        const b y = f(xsimd::select(tiny, x * b(18014398509481984.0), x));
        return xsimd::select(tiny, y - b(of_two_to_54), y);
    }
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log(const xsimd::batch<T, A>& x) {
    return of_normal([](const auto& v) { return xsimd::log(v); }, x, 37.429947750237047);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log2(const xsimd::batch<T, A>& x) {
    return of_normal([](const auto& v) { return xsimd::log2(v); }, x, 54.0);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log10(const xsimd::batch<T, A>& x) {
    return of_normal([](const auto& v) { return xsimd::log10(v); }, x, 16.255619765854984);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log1p(const xsimd::batch<T, A>& x) {
    return xsimd::select(x == xsimd::batch<T, A>(T(0)), x, xsimd::log1p(x));
}

/// Below 1 xsimd gives anything.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> acosh(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    return xsimd::select(x < b(T(1)), b(std::numeric_limits<T>::quiet_NaN()), xsimd::acosh(x));
}

template <class A> xsimd::batch<float, A> cbrt(const xsimd::batch<float, A>& x) { return xsimd::cbrt(x); }
/// pow of float through double, so that large exponents keep their digits.
template <class A> xsimd::batch<float, A> pow(const xsimd::batch<float, A>& x, const xsimd::batch<float, A>& y) {
    using b = xsimd::batch<float, A>;
    using d = xsimd::batch<double, A>;
    alignas(64) float xs[b::size], ys[b::size];
    alignas(64) double wide[2][b::size];
    const b size = xsimd::abs(x);
    size.store_aligned(xs);
    y.store_aligned(ys);
    for (std::size_t i = 0; i < b::size; ++i) {
        wide[0][i] = static_cast<double>(xs[i]);
        wide[1][i] = static_cast<double>(ys[i]);
    }
    for (std::size_t i = 0; i < b::size; i += d::size)
        math::exp(d::load_aligned(wide[1] + i) * xsimd::log(d::load_aligned(wide[0] + i))).store_aligned(wide[0] + i);
    for (std::size_t i = 0; i < b::size; ++i) xs[i] = static_cast<float>(wide[0][i]);
    b result = b::load_aligned(xs);
    const b half = y * b(0.5f);
    const auto whole = xsimd::floor(y) == y;
    const auto odd = whole && xsimd::floor(half) != half;
    result = xsimd::select(odd, xsimd::copysign(result, x), result);
    result = xsimd::select(x < b(0.0f) && !whole && size != b(std::numeric_limits<float>::infinity()),
                           b(std::numeric_limits<float>::quiet_NaN()), result);
    const auto unit_base = size == b(1.0f) && xsimd::abs(y) == b(std::numeric_limits<float>::infinity());
    return xsimd::select(y == b(0.0f) || x == b(1.0f) || unit_base, b(1.0f), result);
}
template <class A> xsimd::batch<double, A> pow(const xsimd::batch<double, A>& x, const xsimd::batch<double, A>& y) {
    return each_lane([](double a, double b) { return std::pow(a, b); }, x, y);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
