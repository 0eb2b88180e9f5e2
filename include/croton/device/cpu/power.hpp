// SPDX-License-Identifier: MIT
// pow of one SIMD register: within 1.5 units in the last place of float and 2 of double.
#ifndef CROTON_DEVICE_CPU_POWER_HPP
#define CROTON_DEVICE_CPU_POWER_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/logarithm.hpp>
#include <croton/device/cpu/near.hpp>
#include <croton/device/cpu/tabled_logarithm.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::simd::math {

/// For any numbers, where `near` is the power of those that are usual.
template <class A>
[[gnu::noinline]] xsimd::batch<float, A> pow_of_any(xsimd::batch<float, A> x, xsimd::batch<float, A> y, xsimd::batch<float, A> near,
                                                    xsimd::batch_bool<float, A> usual) {
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
        math::exp(d::load_aligned(wide[1] + i) * math::log(d::load_aligned(wide[0] + i))).store_aligned(wide[0] + i);
    for (std::size_t i = 0; i < b::size; ++i) xs[i] = static_cast<float>(wide[0][i]);
    b result = b::load_aligned(xs);
    const b half = y * b(0.5f);
    const auto whole = xsimd::floor(y) == y;
    const auto odd = whole && xsimd::floor(half) != half;
    result = xsimd::select(odd, xsimd::copysign(result, x), result);
    result = xsimd::select(x < b(0.0f) && !whole && size != b(std::numeric_limits<float>::infinity()),
                           b(std::numeric_limits<float>::quiet_NaN()), result);
    const auto unit_base = size == b(1.0f) && xsimd::abs(y) == b(std::numeric_limits<float>::infinity());
    return xsimd::select(usual, near, xsimd::select(y == b(0.0f) || x == b(1.0f) || unit_base, b(1.0f), result));
}
/// x^y as exp(y log(x)), within 2^-29.
template <class A> CROTON_INLINE xsimd::batch<double, A> brief_pow(const xsimd::batch<double, A>& x, const xsimd::batch<double, A>& y) {
    using b = xsimd::batch<double, A>;
    using c = exp_constants<double>;
    constexpr double of_exp[] = {0.5000000013562009, 0.16666666757089324, 0.04166646397012544, 0.008333285788284989, 0.0013933754967594089, 0.00019907737209505616};
    // log(1 + f) / f: a quotient would take longer.
    constexpr double of_log[] = {0.99999999998464643, -0.50000000020926299, 0.33333334409620739, -0.24999995783135872, 0.19999874905412333, -0.16666844424218677, 0.14291132460068994,
                                 -0.12499908001846077, 0.11004730459060959, -0.098962291522857885, 0.10013253258555532, -0.10009292790705695, 0.055122246533991364};
    const split_number<double, A> n(x);
    const b log = math::fma(n.exponent, b(c::log2_high + c::log2_low), n.f * polynomial(n.f, of_log));
    const b v = xsimd::max(b(-120.0), xsimd::min(b(100.0), y * log));
    const b k = xsimd::nearbyint(v * b(c::inverse_log2));
    const b r = math::fnma(k, b(c::log2_high + c::log2_low), v);
    return math::fma(polynomial(r, of_exp), r * r, r + b(1.0)) * power_of_two(k);
}

/// 2^(y log2(x)) of normal numbers x > 0, the exponent in two parts.
template <class A> CROTON_INLINE xsimd::batch<float, A> tabled_pow(const xsimd::batch<float, A>& x, const xsimd::batch<float, A>& y) {
    using b = xsimd::batch<float, A>;
    // (2^f - 1) / f for |f| up to a half, within 2^-29 of 2^f.
    constexpr float of_exp2[] = {0.693147203f, 0.240226479f, 0.05550332165f, 0.009618438577f, 0.001339900293f, 0.0001535326682f};
    const tabled_logarithm<float, A> log(x);
    const b k = xsimd::nearbyint(math::fma(y, log.low, y * log.high)), f = math::fma(y, log.low, math::fms(y, log.high, k));
    // Where the power overflows or underflows by far f is what the large product lost.
    const b part = xsimd::max(b(-1.0f), xsimd::min(b(1.0f), f));
    b p(of_exp2[5]);
    p = math::fma(p, part, b(of_exp2[4]));
    p = math::fma(p, part, b(of_exp2[3]));
    p = math::fma(p, part, b(of_exp2[2]));
    p = math::fma(p, part, b(of_exp2[1]));
    p = math::fma(p, part, b(of_exp2[0]));
    return scale(math::fma(p, part, b(1.0f)), k);
}
/// The same through double, so that large exponents keep their digits.
template <class A> CROTON_INLINE xsimd::batch<float, A> wide_pow(const xsimd::batch<float, A>& x, const xsimd::batch<float, A>& y) {
    using b = xsimd::batch<float, A>;
    using d = xsimd::batch<double, A>;
    alignas(64) float xs[b::size], ys[b::size];
    alignas(64) double wide[2][b::size];
    x.store_aligned(xs);
    y.store_aligned(ys);
    for (std::size_t i = 0; i < b::size; ++i) {
        wide[0][i] = static_cast<double>(xs[i]);
        wide[1][i] = static_cast<double>(ys[i]);
    }
    for (std::size_t i = 0; i < b::size; i += d::size) brief_pow(d::load_aligned(wide[0] + i), d::load_aligned(wide[1] + i)).store_aligned(wide[0] + i);
    for (std::size_t i = 0; i < b::size; ++i) xs[i] = static_cast<float>(wide[0][i]);
    return b::load_aligned(xs);
}
template <class A> CROTON_INLINE xsimd::batch<float, A> pow(const xsimd::batch<float, A>& x, const xsimd::batch<float, A>& y) {
    using b = xsimd::batch<float, A>;
    const b near = [&] {
        if constexpr (has_avx512<A>) return tabled_pow(x, y);
        else return wide_pow(x, y);
    }();
    // As double every float above 0 is a normal number.
    const b least(has_avx512<A> ? std::numeric_limits<float>::min() : std::numeric_limits<float>::denorm_min()), most(std::numeric_limits<float>::max());
    const auto usual = (x >= least) & (x <= most) & (xsimd::abs(y) <= most);
    if (xsimd::all(usual)) [[likely]] return near;
    return pow_of_any(x, y, near, usual);
}

/// The logarithm in two parts, whose sum has 64 bits: of s = f / (2 + f) in two parts too, and the first terms of its series.
template <class A> struct exact_natural {
    using b = xsimd::batch<double, A>;
    using c = logarithm<double>;
    b high, low;

    CROTON_INLINE explicit exact_natural(const b& x) {
        const natural<double, A> n(x, c::brief);
        const b one(1.0), f = n.f, m = f + one, d = m + one, d_low = m - (d - one), inverse = one / d;
        const b s = f * inverse, s_low = math::fnma(s, d_low, math::fnma(s, d, f)) * inverse;
        const b z = s * s, z_low = math::fma(s + s, s_low, math::fms(s, s, z));
        // (log(1 + f) - 2 s) / s^3.
        constexpr double two_thirds = 0x1.5555555555555p-1, thirds_low = 0x1.5555555555555p-55;
        const b more = z * polynomial(z, after_thirds), q = more + b(two_thirds), q_low = (b(two_thirds) - q) + more + b(thirds_low);
        const b t = s * z, t_low = math::fma(s, z_low, math::fma(s_low, z, math::fms(s, z, t)));
        const b u = t * q, u_low = math::fma(t, q_low, math::fma(t_low, q, math::fms(t, q, u)));
        const b twice = s + s, part = twice + u, part_low = ((twice - part) + u) + (s_low + s_low + u_low);
        const b whole = n.exponent * b(c::log2_high);
        high = whole + part;
        low = ((whole - high) + part) + math::fma(n.exponent, b(c::log2_low), part_low);
    }

private:
    static constexpr double after_thirds[] = {0.4000000000000224, 0.2857142857010452, 0.2222222251926992, 0.18181784409520807,
                                              0.15386755904020882, 0.1325684111849498, 0.1319618770901921};
};

template <class A> CROTON_INLINE xsimd::batch<double, A> pow(const xsimd::batch<double, A>& x, const xsimd::batch<double, A>& y) {
    const auto far = [](double a, double e) { return std::pow(a, e); };
    if constexpr (fuses<A>) {
        using b = xsimd::batch<double, A>;
        using c = exp_constants<double>;
        const std::conditional_t<has_avx512<A>, tabled_logarithm<double, A>, exact_natural<A>> log(x);
        const b w = y * log.high, w_low = math::fma(y, log.low, math::fms(y, log.high, w));
        const b v = xsimd::max(b(c::low), xsimd::min(b(c::high), w));
        const b k = xsimd::nearbyint(v * b(c::inverse_log2));
        const b r = math::fnma(k, b(c::log2_low), math::fnma(k, b(c::log2_high), v));
        const b near = scale(expm1_reduced(r + xsimd::select(v == w, w_low, b(0.0))) + b(1.0), k);
        const b most(std::numeric_limits<double>::max());
        const auto usual = (x >= b(std::numeric_limits<double>::min())) & (x <= most) & (xsimd::abs(y) <= most);
        if (xsimd::all(usual)) [[likely]] return near;
        return xsimd::select(usual, near, each_lane(far, x, y));
    } else {
        return each_lane(far, x, y);
    }
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
