// SPDX-License-Identifier: MIT
// Logarithms by tables that AVX-512 holds in registers, of numbers near a few, so that short series do: in two parts for powers, and those of float.
#ifndef CROTON_DEVICE_CPU_TABLED_LOGARITHM_HPP
#define CROTON_DEVICE_CPU_TABLED_LOGARITHM_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/logarithm.hpp>

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::simd::math {

/// A normal number x > 0 is 2^exponent z, z from `least` to twice that. z lies in one of `count` pieces of equal length in its bits, which has a number c near one over what
/// lies in it, exactly 1 for the piece around 1: z c - 1 is small, and log(z) = log(z c) - log(c). `high` and `low` are -log(c), `high` of few bits, so that whole numbers are added exactly.
template <class T> struct logarithm_table;
/// To base 2, and (log2(1 + r) - r log2(e)) / r^2 for |r| up to 2^-6, within 2^-33 of log2(1 + r) for the largest r.
template <> struct logarithm_table<float> {
    static constexpr std::uint32_t least = 0x3F320000;
    static constexpr int piece = 18;
    alignas(64) static constexpr float inverse[32] = {
        0x1.6c4p+0f, 0x1.644p+0f, 0x1.5ccp+0f, 0x1.554p+0f, 0x1.4e8p+0f, 0x1.47cp+0f, 0x1.414p+0f, 0x1.3bp+0f, 0x1.354p+0f, 0x1.2f8p+0f, 0x1.2ap+0f,
        0x1.248p+0f, 0x1.1f8p+0f, 0x1.1a8p+0f, 0x1.15cp+0f, 0x1.11p+0f, 0x1.0c8p+0f, 0x1.084p+0f, 0x1.04p+0f, 0x1p+0f, 0x1.f08p-1f, 0x1.e2p-1f, 0x1.d4p-1f,
        0x1.c7p-1f, 0x1.bbp-1f, 0x1.afp-1f, 0x1.a4p-1f, 0x1.998p-1f, 0x1.8f8p-1f, 0x1.86p-1f, 0x1.7dp-1f, 0x1.748p-1f};
    alignas(64) static constexpr float high[32] = {
        -0x1.048p-1f, -0x1.e83p-2f, -0x1.c8cp-2f, -0x1.a8a4p-2f, -0x1.8b2p-2f, -0x1.6dp-2f, -0x1.4f68p-2f, -0x1.3264p-2f, -0x1.172cp-2f, -0x1.f6e8p-3f,
        -0x1.c0d8p-3f, -0x1.89dp-3f, -0x1.56ep-3f, -0x1.2308p-3f, -0x1.e1ep-4f, -0x1.7bfp-4f, -0x1.19bp-4f, -0x1.76ep-5f, -0x1.6e8p-6f, 0.0f, 0x1.6b6p-5f,
        0x1.64dp-4f, 0x1.098p-3f, 0x1.5cb8p-3f, 0x1.abbp-3f, 0x1.fcd8p-3f, 0x1.249cp-2f, 0x1.4a04p-2f, 0x1.6e8cp-2f, 0x1.9218p-2f, 0x1.b494p-2f, 0x1.d5ecp-2f};
    alignas(64) static constexpr float low[32] = {
        0x1.05c0f8p-18f, -0x1.414d3p-21f, -0x1.2cf8fep-18f, 0x1.81d098p-19f, 0x1.f287d2p-20f, -0x1.becacap-18f, -0x1.f5d83p-18f, 0x1.a72536p-20f,
        -0x1.0ca63ap-20f, 0x1.d4d4cp-18f, -0x1.b66ecap-18f, -0x1.a15686p-20f, 0x1.59ae54p-20f, -0x1.065d2ap-19f, 0x1.223778p-19f, 0x1.169476p-20f,
        -0x1.d01a7ep-18f, 0x1.846e2ap-20f, 0x1.a5e8f4p-20f, 0.0f, -0x1.e3ad0ap-18f, -0x1.d93f98p-20f, -0x1.c731ap-19f, 0x1.29d03cp-18f, 0x1.654f64p-18f,
        -0x1.881a54p-19f, 0x1.a5627ap-19f, -0x1.1a169p-21f, -0x1.ffbddep-18f, 0x1.249ba8p-27f, 0x1.d4e918p-18f, -0x1.3b2b9cp-18f};
    static constexpr float of_e = 0x1.715476p+0f, of_e_low = 0x1.4ae0cp-26f;
    static constexpr float series[] = {-0.7213475164f, 0.4808983391f, -0.3607447889f, 0.2886215226f};
};
/// To base e, and (log(1 + r) - r + r^2 / 2) / r^3 for |r| up to 2^-5, within 2^-67 of log(1 + r) for the largest r.
template <> struct logarithm_table<double> {
    static constexpr std::uint64_t least = 0x3FE6800000000000;
    static constexpr int piece = 48;
    alignas(64) static constexpr double inverse[16] = {
        0x1.644p+0, 0x1.558p+0, 0x1.47cp+0, 0x1.3b4p+0, 0x1.2f8p+0, 0x1.24cp+0, 0x1.1a8p+0, 0x1.114p+0, 0x1.084p+0, 0x1p+0, 0x1.e28p-1, 0x1.c78p-1, 0x1.af8p-1,
        0x1.9ap-1, 0x1.868p-1, 0x1.748p-1};
    alignas(64) static constexpr double high[16] = {
        -0x1.5262deeb98p-2, -0x1.27161913f8p-2, -0x1.fa01c3bb58p-3, -0x1.aa5ebf8a94p-3, -0x1.5c94007598p-3, -0x1.12b8cf2518p-3, -0x1.9375e55598p-4,
        -0x1.0b194ee0dp-4, -0x1.03d5d85e7p-5, 0.0, 0x1.e624c4a0bp-5, 0x1.def0d8d468p-4, 0x1.5e533144cp-3, 0x1.c6ffbc6fp-3, 0x1.1565eed456p-2, 0x1.45b8c0a17ep-2};
    alignas(64) static constexpr double low[16] = {
        -0x1.0f23047bb5bp-43, -0x1.4f4f1f61564b4p-44, 0x1.a1f71fae1d786p-46, 0x1.2a0a936951a8fp-44, 0x1.a8d948cd23322p-44, -0x1.48a4a13c0a0fcp-44,
        0x1.0911e463f9e4ep-43, -0x1.666ea4f69edccp-44, -0x1.f778960ed29cfp-44, 0.0, 0x1.786d1c5cc4cbcp-43, -0x1.24750412e9a74p-44, 0x1.718fa0626b78bp-43,
        0x1.ee138d3a69d43p-44, -0x1.e75adfb6aba25p-49, -0x1.d9120e7d0a853p-47};
    static constexpr double series[] = {0.33333333333333333, -0.24999999999999246, 0.19999999999997275, -0.1666666667315813, 0.14285714298648869, -0.12499981713223037,
                                        0.11111085244123365, -0.10020860916537795, 0.091140959567136252};
};

/// The exponent, the piece, z, and the number near one over it.
template <class T, class A> struct tabled_number {
    using b = xsimd::batch<T, A>;
    using c = logarithm<T>;
    using table = logarithm_table<T>;
    using word = typename c::word;
    using bits = xsimd::batch<word, A>;
    bits at;
    b exponent, z, near;

    CROTON_INLINE explicit tabled_number(const b& x) {
        const bits all = xsimd::bitwise_cast<bits>(x) + bits(c::one - table::least);
        exponent = xsimd::bitwise_cast<b>((all >> c::mantissa) | bits(c::whole)) - b(c::of_whole);
        at = all >> table::piece;
        z = xsimd::bitwise_cast<b>((all & bits((word{1} << c::mantissa) - 1)) + bits(table::least));
        near = avx512<A>::picked(table::inverse, at);
    }
};
/// And z c - 1 in two parts.
template <class T, class A> struct tabled_parts : tabled_number<T, A> {
    using typename tabled_number<T, A>::b;
    b r, r_low;

    CROTON_INLINE explicit tabled_parts(const b& x) : tabled_number<T, A>(x) {
        const b product = this->z * this->near;
        r_low = math::fms(this->z, this->near, product);
        r = product - b(T(1));
    }
};

/// log2(x) = high + low for a normal number x > 0, within 2^-30 of it.
template <class T, class A> struct tabled_logarithm;
template <class A> struct tabled_logarithm<float, A> : tabled_parts<float, A> {
    using typename tabled_parts<float, A>::b;
    using typename tabled_parts<float, A>::table;
    using tabled_parts<float, A>::at, tabled_parts<float, A>::exponent, tabled_parts<float, A>::r, tabled_parts<float, A>::r_low;
    b high, low;

    CROTON_INLINE explicit tabled_logarithm(const b& x) : tabled_parts<float, A>(x) {
        const b first = r * b(table::of_e), first_low = math::fma(math::fnma(r_low, r, r_low), b(table::of_e), math::fma(r, b(table::of_e_low), math::fms(r, b(table::of_e), first)));
        const b whole = exponent + avx512<A>::picked(table::high, at);
        high = whole + first;
        low = ((whole - high) + first) + (avx512<A>::picked(table::low, at) + math::fma(r * r, polynomial(r, table::series), first_low));
    }
};
/// log(x) = high + low for a normal number x > 0, within 2^-64 of it.
template <class A> struct tabled_logarithm<double, A> : tabled_parts<double, A> {
    using typename tabled_parts<double, A>::b;
    using typename tabled_parts<double, A>::c;
    using typename tabled_parts<double, A>::table;
    using tabled_parts<double, A>::at, tabled_parts<double, A>::exponent, tabled_parts<double, A>::r, tabled_parts<double, A>::r_low;
    b high, low;

    CROTON_INLINE explicit tabled_logarithm(const b& x) : tabled_parts<double, A>(x) {
        const b square = r * r, square_low = math::fms(r, r, square), first = math::fnma(square, b(0.5), r), first_low = math::fnma(square, b(0.5), r - first);
        const b more = math::fma(square * r, polynomial(r, table::series), math::fnma(square_low, b(0.5), first_low)) + math::fnma(r_low, r - square, r_low);
        const b whole = math::fma(exponent, b(c::log2_high), avx512<A>::picked(table::high, at));
        high = whole + first;
        low = ((whole - high) + first) + math::fma(exponent, b(c::log2_low), avx512<A>::picked(table::low, at) + more);
    }
};

/// For the logarithm alone a number is 2^exponent z, z from 1 to 2, as instructions take it apart. z lies in one of 32 pieces, which has a number c near one over it, 1 and 1/2 for the first
/// and the last, where logarithms are small, and `high`, log2(1 / c) within 2^-30: c was chosen so that 17 bits behind the point are enough, and exponents are added exactly. The
/// series is (log2(1 + r) - r log2(e)) / r^2 for r from -2^-6 to 2^-5, within 2^-26 of log2(1 + r) for the largest.
struct octave_table {
    alignas(64) static constexpr float inverse[32] = {
        0x1p+0f, 0x1.f0e236p-1f, 0x1.e1f9fap-1f, 0x1.d4b09ep-1f, 0x1.c766a8p-1f, 0x1.b90cbep-1f, 0x1.adcaf6p-1f, 0x1.a029aap-1f, 0x1.94c47cp-1f,
        0x1.921682p-1f, 0x1.86390ap-1f, 0x1.7ade3ap-1f, 0x1.75d43p-1f, 0x1.6ba314p-1f, 0x1.608076p-1f, 0x1.5afaaep-1f, 0x1.52242p-1f, 0x1.498c8ep-1f,
        0x1.498c8ep-1f, 0x1.3d0852p-1f, 0x1.3af426p-1f, 0x1.3538d4p-1f, 0x1.2acc78p-1f, 0x1.26379p-1f, 0x1.26379p-1f, 0x1.1b4a1ep-1f, 0x1.161faep-1f,
        0x1.11d542p-1f, 0x1.0d33d6p-1f, 0x1.087e58p-1f, 0x1.04305p-1f, 0x1p-1f};
    alignas(64) static constexpr float high[32] = {
        0.0f, 0x1.623p-5f, 0x1.6518p-4f, 0x1.0524p-3f, 0x1.5a2p-3f, 0x1.b8bcp-3f, 0x1.029p-2f, 0x1.322cp-2f, 0x1.5b3p-2f, 0x1.65p-2f, 0x1.914p-2f,
        0x1.bcep-2f, 0x1.d0a8p-2f, 0x1.f97ep-2f, 0x1.13b8p-1f, 0x1.1f62p-1f, 0x1.3271p-1f, 0x1.4574p-1f, 0x1.4574p-1f, 0x1.620ep-1f, 0x1.66eap-1f,
        0x1.747bp-1f, 0x1.8dcfp-1f, 0x1.9939p-1f, 0x1.9939p-1f, 0x1.b52ep-1f, 0x1.c2c6p-1f, 0x1.ce42p-1f, 0x1.dadbp-1f, 0x1.e7e4p-1f, 0x1.f403p-1f, 0x1p+0f};
    static constexpr double series[] = {-0.72134929895401, 0.480960875749588, -0.3525002598762512};
};
/// The logarithm to a base, of which `unit`, in two parts, is that of 2, and `slope` that of e.
template <class Base> struct by_table {
    static constexpr double of_two_to_54 = Base::of_two_to_54;
    template <class A> CROTON_INLINE static xsimd::batch<float, A> of(const xsimd::batch<float, A>& x) {
        using b = xsimd::batch<float, A>;
        constexpr float series[] = {static_cast<float>(octave_table::series[0] * Base::unit), static_cast<float>(octave_table::series[1] * Base::unit), static_cast<float>(octave_table::series[2] * Base::unit)};
        constexpr float unit = static_cast<float>(Base::unit), unit_low = static_cast<float>(Base::unit - static_cast<double>(unit)), slope = static_cast<float>(Base::slope);
        const auto at = xsimd::bitwise_cast<xsimd::batch<std::uint32_t, A>>(x) >> 18;
        const b whole = avx512<A>::exponent(x) + avx512<A>::picked(octave_table::high, at), r = math::fms(avx512<A>::mantissa(x), avx512<A>::picked(octave_table::inverse, at), b(1.0f));
        const b square = r * r, beyond = polynomial(r, series);
        if constexpr (Base::unit == 1) return whole + math::fma(r, b(slope), square * beyond);
        else return math::fma(whole, b(unit), math::fma(r, b(slope), math::fma(square, beyond, whole * b(unit_low))));
    }
};

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log(const xsimd::batch<T, A>& x) {
    if constexpr (sizeof(T) == 4 && has_avx512<A>) return log_to<by_table<of_e>>(x);
    else return log_to<of_e>(x);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log2(const xsimd::batch<T, A>& x) {
    if constexpr (sizeof(T) == 4 && has_avx512<A>) return log_to<by_table<of_two>>(x);
    else return log_to<of_two>(x);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> log10(const xsimd::batch<T, A>& x) {
    // With two roundings each sum is less exact than that of xsimd.
    if constexpr (sizeof(T) == 4 && !fuses<A>) return xsimd::log10(x);
    else if constexpr (sizeof(T) == 4 && has_avx512<A>) return log_to<by_table<of_ten>>(x);
    else return log_to<of_ten>(x);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
