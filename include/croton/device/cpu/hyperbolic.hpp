// SPDX-License-Identifier: MIT
// sinh, cosh, tanh and their inverses of one SIMD register: one exponential or one logarithm each, and one quotient.
#ifndef CROTON_DEVICE_CPU_HYPERBOLIC_HPP
#define CROTON_DEVICE_CPU_HYPERBOLIC_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/logarithm.hpp>
#include <croton/device/cpu/math.hpp>
#include <croton/device/cpu/tabled_tangent.hpp>

#include <limits>

namespace croton::inline v0_1::simd::math {

template <class T> struct hyperbolic;
template <> struct hyperbolic<float> {
    // Beyond these sinh and cosh are infinite, tanh of half is 1, and 1 is nothing beside the square.
    static constexpr float high = 89.5f, flat = 20.0f, large = 0x1p13f;
    // (tanh(x) / x - 1) / x^2 in x^2 up to 0.31, within 2^-29 of tanh(x) / x.
    static constexpr float tangent[] = {-0.3333331671f, 0.1333254638f, -0.05384724462f, 0.02104775927f, -0.006236674813f};
    // (atanh(x) / x - 1) / x^2 in x^2 up to 0.25, within 2^-29 and 2^-54 of it.
    static constexpr float inverse_tangent[] = {0.3333333597f, 0.1999973137f, 0.1429480269f, 0.1096740292f, 0.102829803f, 0.02447696305f, 0.1760279681f};
    // (asinh(x) / x - 1) / x^2 in x^2 up to 0.28, within 2^-33 and 2^-62 of asinh(x) / x.
    static constexpr float inverse[] = {-0.1666666424f, 0.07499823041f, -0.04459998544f, 0.02989940915f, -0.01954504975f, 0.008554416544f};
};
template <> struct hyperbolic<double> {
    static constexpr double high = 710.6, flat = 40.0, large = 0x1p28;
    static constexpr double inverse_tangent[] = {0.33333333333333295, 0.20000000000015334, 0.14285714283680306, 0.11111111244256974, 0.090909039922131588, 0.076924328983954288, 0.066645854779801161,
                                                 0.059065220338685115, 0.050639691613519473, 0.05928815625429234, -0.0044448343992874638, 0.17305654734719983, -0.19376070838526338, 0.23980462794928651};
    static constexpr double inverse[] = {-0.16666666666666657, 0.074999999999969761, -0.044642857139684236, 0.030381944279462116, -0.022372154065573258, 0.017352666254541049, -0.013963546230930271,
                                         0.011539822575954303, -0.0096830612315183033, 0.0080226059557984063, -0.0060899541705502966, 0.003600544639544478, -0.0011669091983418241};
};

/// 1 - 2 / (exp(2 |x|) + 1), which loses digits where it is small.
template <class A> CROTON_INLINE xsimd::batch<float, A> tanh(const xsimd::batch<float, A>& x) {
    if constexpr (has_avx512<A>) return tabled_tanh(x);
    using b = xsimd::batch<float, A>;
    using c = hyperbolic<float>;
    // min returns its second operand where one is NaN.
    const b size = xsimd::abs(x), square = size * size, near = math::fma(size * square, polynomial(square, c::tangent), size);
    const b far = b(1.0f) - b(2.0f) / (exponential<float, A>::of_e(xsimd::min(b(c::flat), size + size)).normal() + b(1.0f));
    return xsimd::select(size >= b(0.55f), far, near) ^ xsimd::bitofsign(x);
}
/// With E = exp(2 |x|) - 1 it is E / (E + 2), with what the sum and the quotient lose.
template <class A> CROTON_INLINE xsimd::batch<double, A> tanh(const xsimd::batch<double, A>& x) {
    if constexpr (!fuses<A>) return xsimd::tanh(x);
    using b = xsimd::batch<double, A>;
    using c = exp_constants<double>;
    const b size = xsimd::abs(x), v = xsimd::min(b(hyperbolic<double>::flat), size + size);
    const b k = xsimd::nearbyint(v * b(c::inverse_log2));
    const b r = math::fnma(k, b(c::log2_low), math::fnma(k, b(c::log2_high), v));
    const b power = power_of_two(k), e = math::fma(power, expm1_reduced(r), power - b(1.0));
    const b sum = e + b(2.0), lost = e - (sum - b(2.0)), inverse = b(1.0) / sum, near = e * inverse;
    return math::fma(math::fnma(near, lost, math::fnma(near, sum, e)), inverse, near) | xsimd::bitofsign(x);
}
/// (exp(v) - 1) / 4, for v from 0 on.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> quarter_of_expm1(const xsimd::batch<T, A>& v) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    const b k = xsimd::nearbyint(v * b(c::inverse_log2));
    const b r = math::fnma(k, b(c::log2_low), math::fnma(k, b(c::log2_high), v));
    const b power = power_of_two(k - b(T(2)));
    return math::fma(power, expm1_reduced(r), power - b(T(0.25)));
}
/// With E = exp(|x|) - 1 it is E / 2 + E / (2 E + 2): of a quarter of E, which overflows after the result does.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> sinh(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const b size = xsimd::abs(x), e = quarter_of_expm1(xsimd::min(b(hyperbolic<T>::high), size));
    const b half = e + e / math::fma(e, b(T(4)), b(T(1)));
    return xsimd::select(size < b(std::numeric_limits<T>::epsilon()), x, (half + half) ^ xsimd::bitofsign(x));
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cosh(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const auto e = exponential<T, A>::of_e(xsimd::min(b(hyperbolic<T>::high), xsimd::abs(x)));
    const b half = scale(e.y, e.k - b(T(1)));
    return half + b(T(0.25)) / half;
}

/// exponent log(2) + log((1 + s) / (1 - s)), for s up to 0.2.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log_of_quotient(const xsimd::batch<T, A>& exponent, const xsimd::batch<T, A>& s) {
    using b = xsimd::batch<T, A>;
    using c = logarithm<T>;
    const b z = s * s, part = math::fma(s * z, polynomial(z, c::wide), s + s);
    return math::fma(exponent, b(c::log2_high), math::fma(exponent, b(c::log2_low), part));
}

/// log(|x| + root(x^2 + 1)), which loses digits where it is small.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> asinh(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const b size = xsimd::abs(x), large(hyperbolic<T>::large), bounded = xsimd::min(large, size), square = bounded * bounded;
    const auto is_large = size > large;
    const b root = xsimd::sqrt(math::fma(bounded, bounded, b(T(1))));
    const split_number<T, A> w(xsimd::select(is_large, size, size + root));
    const b far = log_of_quotient(w.exponent + xsimd::select(is_large, b(T(1)), b(T(0))), w.f / (w.f + b(T(2))));
    const b near = math::fma(size * square, polynomial(square, hyperbolic<T>::inverse), size);
    return xsimd::select(size < b(T(0.53)), near, xsimd::select(size <= b(std::numeric_limits<T>::max()), far, size)) ^ xsimd::bitofsign(x);
}
/// log(x + root(x^2 - 1)); the tangent of half of it is root(x^2 - 1) / (x + 1), which has more digits where it is small.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> acosh(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const b large(hyperbolic<T>::large), one(T(1)), zero(T(0)), above = x + one;
    const auto is_large = x > large;
    const b root = xsimd::sqrt((x - one) * above), sum = xsimd::select(is_large, x, x + root);
    const auto near = sum < b(T(1.5));
    const split_number<T, A> w(sum);
    const b s = xsimd::select(near, root, w.f) / xsimd::select(near, above, w.f + b(T(2)));
    const b y = log_of_quotient(xsimd::select(near, zero, w.exponent + xsimd::select(is_large, one, zero)), s);
    return xsimd::select(x >= one, xsimd::select(x <= b(std::numeric_limits<T>::max()), y, x), b(std::numeric_limits<T>::quiet_NaN()));
}
/// Half of the logarithm of (1 + |x|) / (1 - |x|), which is 2^k m: of s = (m - 1) / (m + 1). It loses digits up to a half.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> atanh(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = logarithm<T>;
    using word = typename c::word;
    using bits = xsimd::batch<word, A>;
    const b size = xsimd::abs(x), one(T(1)), half(T(0.5)), above = one + size, below = one - size, square = size * size;
    const bits biased = (xsimd::bitwise_cast<bits>(above) - xsimd::bitwise_cast<bits>(below) + bits(c::one + (word{1} << (c::mantissa - 1)))) >> c::mantissa;
    const b exponent = xsimd::bitwise_cast<b>(biased | bits(c::whole)) - b(c::of_whole);
    const b m = above * xsimd::bitwise_cast<b>((bits((c::one >> c::mantissa) * 2) - biased) << c::mantissa);
    const b far = log_of_quotient(exponent, (m - below) / (m + below)) * half;
    const b near = math::fma(size * square, polynomial(square, hyperbolic<T>::inverse_tangent), size);
    const b beyond = xsimd::select(size == one, b(std::numeric_limits<T>::infinity()), b(std::numeric_limits<T>::quiet_NaN()));
    return xsimd::select(size < half, near, xsimd::select(size < one, far, beyond)) ^ xsimd::bitofsign(x);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
