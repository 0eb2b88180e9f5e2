// SPDX-License-Identifier: MIT
// Logarithms of one SIMD register, within 2 units in the last place, log1p and the logarithm of the odds within 3.
#ifndef CROTON_DEVICE_CPU_LOGARITHM_HPP
#define CROTON_DEVICE_CPU_LOGARITHM_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/division.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace croton::inline v0_1::simd::math {

/// The exponents of a number, and (log(1 + f) - 2 s) / s^3 with s = f / (2 + f) as polynomials in s^2: `near` up to 0.0295, where 1 + f is from
/// the root of a half to the root of 2, and `wide` up to 0.0402. Their errors are below 2^-59 and 2^-62 of the logarithm for double, and 2^-35 for float.
template <class T> struct logarithm;
template <> struct logarithm<float> {
    using word = std::uint32_t;
    static constexpr int mantissa = 23;
    static constexpr word one = 0x3F800000, whole = 0x4B000000, root_of_half = 0x3F3504F3;
    static constexpr float of_whole = 8388608.0f + 127.0f;
    static constexpr float log2_high = 0.693359375f, log2_low = -2.12194440e-4f;
    static constexpr float log10_high = 0x1.344p-2f, log10_low = 0x1.3509f8p-18f;
    // (log(1 + f) - f + f^2 / 2) / f^3 within 2^-30 of the logarithm: a quotient would take as long as all of it.
    static constexpr float beyond[] = {0.3333331473f, -0.2499998619f, 0.2000199245f, -0.1666914659f, 0.1422265221f, -0.1238792616f, 0.1184990408f, -0.1176277204f, 0.06931965294f};
    static constexpr float wide[] = {0.6666666302239782f, 0.40000874110589746f, 0.28506459939306095f, 0.241084370517237f};
};
template <> struct logarithm<double> {
    using word = std::uint64_t;
    static constexpr int mantissa = 52;
    static constexpr word one = 0x3FF0000000000000, whole = 0x4330000000000000, root_of_half = 0x3FE6A09E667F3BCD;
    static constexpr double of_whole = 4503599627370496.0 + 1023.0;
    // Products of `high` with exponents are exact.
    static constexpr double log2_high = 0x1.62e42fefa3000p-1, log2_low = 0x1.3de6af278ece6p-42;
    static constexpr double log10_high = 0x1.34413509f7000p-2, log10_low = 0x1.3fde623e2566bp-43;
    static constexpr double near[] = {0.6666666666666735, 0.3999999999941309, 0.2857142874277223, 0.22222198530668627, 0.18183566686860062,
                                      0.1531398645054532, 0.14796626711866318};
    // Within 2^-37.
    static constexpr double brief[] = {0.6666666564368934, 0.40000335627313793, 0.28537278611316813, 0.23582758077238075};
    static constexpr double wide[] = {0.666666666666666, 0.4000000000005797, 0.28571428555526523, 0.22222224329680107, 0.1818166392843524,
                                      0.15391174444823572, 0.131725637062851, 0.13849965036795225};
};

/// A normal number x > 0 as 2^exponent (1 + f), 1 + f from the root of a half to the root of 2.
template <class T, class A> struct split_number {
    using b = xsimd::batch<T, A>;
    using c = logarithm<T>;
    using word = typename c::word;
    using bits = xsimd::batch<word, A>;
    b exponent, f;

    CROTON_INLINE explicit split_number(const b& x) {
        const bits all = xsimd::bitwise_cast<bits>(x) + bits(c::one - c::root_of_half);
        exponent = xsimd::bitwise_cast<b>((all >> c::mantissa) | bits(c::whole)) - b(c::of_whole);
        f = xsimd::bitwise_cast<b>((all & bits((word{1} << c::mantissa) - 1)) + bits(c::root_of_half)) - b(T(1));
    }
};

/// log(x) = exponent log(2) + (f - rest) for a normal number x > 0.
template <class T, class A> struct natural : split_number<T, A> {
    using typename split_number<T, A>::b;
    using typename split_number<T, A>::c;
    using split_number<T, A>::exponent, split_number<T, A>::f;
    b rest;

    CROTON_INLINE explicit natural(const b& x) : split_number<T, A>(x) {
        if constexpr (sizeof(T) == 4) {
            const b square = f * f;
            rest = math::fnma(f * square, polynomial(f, c::beyond), square * b(T(0.5)));
        } else {
            take_rest(c::near);
        }
    }
    template <std::size_t N> CROTON_INLINE natural(const b& x, const T (&near)[N]) : split_number<T, A>(x) { take_rest(near); }
    CROTON_INLINE b fraction() const { return f - rest; }
    /// What the fraction lost.
    CROTON_INLINE b lost(const b& fraction) const { return (f - fraction) - rest; }
    /// The logarithm, and `more`, which is small beside it.
    CROTON_INLINE b log(const b& more) const {
        return math::fma(exponent, b(c::log2_high), f - (rest - math::fma(exponent, b(c::log2_low), more)));
    }

private:
    template <std::size_t N> CROTON_INLINE void take_rest(const T (&near)[N]) {
        const b s = f / (f + b(T(2))), z = s * s;
        rest = s * (f - z * polynomial(z, near));
    }
};

struct of_e {
    static constexpr double unit = 0.69314718055994530942, slope = 1;
    static constexpr double of_two_to_54 = 37.429947750237047;
    template <class T, class A> CROTON_INLINE static xsimd::batch<T, A> of(const xsimd::batch<T, A>& x) {
        return natural<T, A>(x).log(xsimd::batch<T, A>(T(0)));
    }
};
struct of_two {
    static constexpr double unit = 1, slope = 1.4426950408889634074;
    static constexpr double of_two_to_54 = 54;
    template <class A> CROTON_INLINE static xsimd::batch<float, A> of(const xsimd::batch<float, A>& x) {
        using b = xsimd::batch<float, A>;
        const natural<float, A> n(x);
        const b low = math::fnma(n.rest, b(0x1.715476p+0f), n.f * b(0x1.4ae0cp-26f));
        return n.exponent + math::fma(n.f, b(0x1.715476p+0f), low);
    }
    template <class A> CROTON_INLINE static xsimd::batch<double, A> of(const xsimd::batch<double, A>& x) {
        using b = xsimd::batch<double, A>;
        const natural<double, A> n(x);
        const b y = n.fraction();
        const b low = math::fma(n.lost(y), b(0x1.71547652b82fep+0), y * b(0x1.777d0ffda0d24p-56));
        return n.exponent + math::fma(y, b(0x1.71547652b82fep+0), low);
    }
};
struct of_ten {
    static constexpr double unit = 0.30102999566398119521, slope = 0.43429448190325182765;
    static constexpr double of_two_to_54 = 16.255619765854984;
    template <class A> CROTON_INLINE static xsimd::batch<float, A> of(const xsimd::batch<float, A>& x) {
        using b = xsimd::batch<float, A>;
        using c = logarithm<float>;
        const natural<float, A> n(x);
        const b low = math::fnma(n.rest, b(0x1.bcb7b2p-2f), math::fma(n.f, b(-0x1.5b235ep-27f), n.exponent * b(c::log10_low)));
        return math::fma(n.exponent, b(c::log10_high), math::fma(n.f, b(0x1.bcb7b2p-2f), low));
    }
    template <class A> CROTON_INLINE static xsimd::batch<double, A> of(const xsimd::batch<double, A>& x) {
        using b = xsimd::batch<double, A>;
        using c = logarithm<double>;
        const natural<double, A> n(x);
        const b y = n.fraction(), low = math::fma(n.lost(y), b(0x1.bcb7b1526e50ep-2), math::fma(y, b(0x1.95355baaafad3p-57), n.exponent * b(c::log10_low)));
        return math::fma(n.exponent, b(c::log10_high), math::fma(y, b(0x1.bcb7b1526e50ep-2), low));
    }
};

/// `y`, the logarithm of lanes that hold normal numbers, and that of the others.
template <class Base, class T, class A>
[[gnu::noinline]] xsimd::batch<T, A> log_of_any(xsimd::batch<T, A> x, xsimd::batch<T, A> y) {
    using b = xsimd::batch<T, A>;
    const b infinity(std::numeric_limits<T>::infinity()), zero(T(0));
    const auto tiny = x < b(std::numeric_limits<T>::min());
    const b number = xsimd::select(tiny, Base::of(x * b(T(0x1p54))) - b(static_cast<T>(Base::of_two_to_54)), y);
    const b found = xsimd::select(x == zero, -infinity, xsimd::select(x == infinity, x, number));
    return xsimd::select(x >= zero, found, b(std::numeric_limits<T>::quiet_NaN()));
}
template <class Base, class T, class A> CROTON_INLINE xsimd::batch<T, A> log_to(const xsimd::batch<T, A>& x) {
    const xsimd::batch<T, A> y = Base::of(x);
    if (all_normal(x)) [[likely]] return y;
    return log_of_any<Base>(x, y);
}

/// The logarithm of 1 + x as it is rounded, and what the rounding took.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log1p(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const b one(T(1)), sum = x + one, back = sum - one, lost = (one - (sum - back)) + (x - back);
    const b near = natural<T, A>(sum).log(math::ratio(lost, sum)), y = xsimd::select(x == b(T(0)), x, near);
    const auto usual = (x > b(T(-1))) & (x <= b(std::numeric_limits<T>::max()));
    if (xsimd::all(usual)) [[likely]] return y;
    return log_of_any<of_e>(sum, y);
}

/// log(x / (1 - x)): the ratio is 2^k m, and its logarithm that of s = (m - 1) / (m + 1), which is as exact near 0.5 as anywhere.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log_odds(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = logarithm<T>;
    using word = typename c::word;
    using bits = xsimd::batch<word, A>;
    const b one(T(1)), zero(T(0)), infinity(std::numeric_limits<T>::infinity());
    const b other = one - x, lost = (one - other) - x;
    const bits all = xsimd::bitwise_cast<bits>(x) - xsimd::bitwise_cast<bits>(other) + bits(c::one + (word{1} << (c::mantissa - 1)));
    const bits biased = all >> c::mantissa;
    const b exponent = xsimd::bitwise_cast<b>(biased | bits(c::whole)) - b(c::of_whole);
    const b m = x * xsimd::bitwise_cast<b>((bits((c::one >> c::mantissa) * 2) - biased) << c::mantissa);
    const b s = ((m - other) - lost) / (m + other), z = s * s;
    const b part = math::fma(s * z, polynomial(z, c::wide), s + s);
    const b y = math::fma(exponent, b(c::log2_high), math::fma(exponent, b(c::log2_low), part));
    const auto usual = (x >= b(std::numeric_limits<T>::min())) & (x < one);
    if (xsimd::all(usual)) [[likely]] return y;
    const b beyond = xsimd::select(x == one, infinity, b(std::numeric_limits<T>::quiet_NaN()));
    // Of the smallest numbers the ratio is the number.
    return xsimd::select(usual, y, xsimd::select((x >= zero) & (x < one), log_to<of_e>(x), beyond));
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
