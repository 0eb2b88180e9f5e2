// SPDX-License-Identifier: MIT
// erf, erfc and the normal distribution of one SIMD register: within 2, 3.5 and 5 units in the last place of float and double.
#ifndef CROTON_DEVICE_CPU_ERROR_FUNCTION_HPP
#define CROTON_DEVICE_CPU_ERROR_FUNCTION_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/math.hpp>
#include <croton/device/cpu/tabled_error_function.hpp>

namespace croton::inline v0_1::simd::math {

/// Two polynomials, through their values at Chebyshev's points:
///   tail   (1 + 2 z) e^(z^2) erfc(z) - 1 for z >= 0, in t = (z - centre) / (z + centre): Shepherd and Laframboise, Chebyshev
///          approximation of (1 + 2x) exp(x^2) erfc x, 1981; its error is below 4e-9 for float and 1e-18 for double
///   small  erf(x) / x - 1 for |x| <= 1, in x^2; below 2e-9 and 2e-19
/// and one through points where its error is as large as anywhere:
///   exponent  -log(erfc(x)) / x - 1 for x >= 0, in x; with it erf(x) is within 2^-31 for float and 2^-57 for double
/// Both are small beside the 1, and so are the errors of adding them up.
template <class T> struct erf_constants;
template <> struct erf_constants<float> {
    static constexpr float centre = 3, largest = 10.3f;  // erfc is 0 beyond
    static constexpr std::uint32_t upper_half = 0xFFFFF000u;
    static constexpr float tail[] = {
        2.530080580e-01f, -1.356211463e-01f, -4.756229860e-02f, 1.296466479e-01f, -1.192722924e-01f, 6.829323999e-02f,
        -2.379245833e-02f, 2.578218072e-03f, 1.998225099e-03f, -7.931825779e-04f, -2.754560187e-04f};
    static constexpr float small[] = {
        1.283791658e-01f, -3.761262667e-01f, 1.128359472e-01f, -2.685421201e-02f, 5.189087423e-03f, -8.016864287e-04f,
        7.875875063e-05f};
    static constexpr float one_from = 3.95f;
    static constexpr float exponent[] = {
        0.1283791666281369f, 0.6366198345821099f, 0.1027712770499911f, -0.019117694274040746f, -0.00025306277664535314f, 0.0017993566346606103f,
        -0.0007406884416603364f, 0.00016748224454233242f, -2.1354930405644312e-05f, 1.1933338632182145e-06f};
};
template <> struct erf_constants<double> {
    static constexpr double centre = 4.5, largest = 27.5;
    static constexpr std::uint64_t upper_half = 0xFFFFFFFFF8000000u;
    static constexpr double tail[] = {
        0.2248480427384142, -0.1367070998554379, 0.033344063968230864, 0.04337222005886385, -0.0835783544478916,
        0.09033360602511209, -0.07519744543989722, 0.051613843329912056, -0.02968179225435595, 0.01416683737336786,
        -0.005404217946623921, 0.0014843223555487093, -0.00018218607942580746, -6.7788476524329e-05, 4.4052844401170586e-05,
        -7.813785802889963e-06, -2.5185132175822603e-06, 1.626112017079279e-06, -1.031028272709431e-07,
        -1.8703849409694112e-07, 4.861527649386929e-08, 1.985462444936542e-08, -6.879035143304603e-09, -2.450138636434673e-09};
    static constexpr double small[] = {
        0.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792, 0.0052239776248180145,
        -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-05, 1.6461000484121368e-06,
        -1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09, 5.957176147748911e-11};
    static constexpr double one_from = 5.95;
    static constexpr double exponent[] = {
        0.1283791670955126, 0.6366197723675836, 0.10277260330178847, -0.01912844700506424, -0.00020919469491292335, 0.0016962063862474637,
        -0.000590125555310827, 2.5878612588333936e-05, 6.44918396138274e-05, -2.972400465685839e-05, 3.4072021890821478e-06, 2.835216817216936e-06,
        -1.741621836901566e-06, 3.364230155106643e-07, 1.3714496948962233e-07, -1.4174281329801124e-07, 6.57255458793105e-08, -2.0960016917533113e-08,
        4.997013184811604e-09, -9.080817071785644e-10, 1.2481912641248205e-10, -1.2608515909691174e-11, 8.843627406754468e-13, -3.849585534622883e-14,
        7.832075794369674e-16};
};

/// e^(-f a^2) times e^(z^2) erfc(z) for a >= 0, where z is a sqrt(f). The exponent is squared without a rounding error, which
/// the exponential would multiply by it: e^-q = e^-s (1 - (q - s)).
template <class T, class A>
CROTON_INLINE xsimd::batch<T, A> erfc_tail(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& z, T f) {
    using b = xsimd::batch<T, A>;
    using c = erf_constants<T>;
    using bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>, A>;
    const b square = a * a;
    b left;
    if constexpr (fuses<A>) {
        // Compilers may join a product and a difference below otherwise, and lose what is left.
        left = math::fms(a, a, square);
    } else {
        const b upper = xsimd::bitwise_cast<b>(xsimd::bitwise_cast<bits>(a) & bits(c::upper_half));
        left = (upper * upper - square) + (a - upper) * (a + upper);
    }
    if constexpr (has_avx512<A>) return tabled_erfc(z, square * b(f), left * b(f));
    const b more = polynomial((z - b(c::centre)) / (z + b(c::centre)), c::tail);
    const b w = math::exp(-(square * b(f))) / math::fma(b(T(2)), z, b(T(1)));
    return math::fma(w, math::fnma(more, left * b(f), more - left * b(f)), w);
}

/// erf(x) for |x| <= 1.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> small_erf(const xsimd::batch<T, A>& x) {
    return math::fma(x, polynomial(x * x, erf_constants<T>::small), x);
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> erfc(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    // min returns its second operand where one is NaN.
    const b a = xsimd::min(b(erf_constants<T>::largest), xsimd::abs(x));
    const b y = erfc_tail(a, a, T(1)), of_sign = xsimd::select(x < b(T(0)), b(T(2)) - y, y);
    if constexpr (has_avx512<A>) return of_sign;
    // The tail of one polynomial loses digits near 0.
    return xsimd::select(a < b(T(0.5)), b(T(1)) - small_erf(x), of_sign);
}

/// 1 - e^-P for a polynomial P, which is nearly x (1.13 + 0.64 x).
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> erf(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = erf_constants<T>;
    using e = exp_constants<T>;
    if constexpr (sizeof(T) == 8 && has_avx512<A>) return tabled_erf(x);
    // min returns its second operand where one is NaN.
    const b a = xsimd::min(b(c::one_from), xsimd::abs(x));
    const b p = -math::fma(a, polynomial(a, c::exponent), a);
    const b k = xsimd::nearbyint(p * b(e::inverse_log2));
    const b r = math::fnma(k, b(e::log2_low), math::fnma(k, b(e::log2_high), p));
    const b power = power_of_two(k);
    return xsimd::copysign((b(T(1)) - power) - power * expm1_reduced(r), x);
}

/// The share of the normal distribution below x.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> normal_cdf(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    constexpr double root = 0.70710678118654752440;
    const b a = xsimd::min(b(static_cast<T>(erf_constants<T>::largest / root)), xsimd::abs(x));
    const b y = b(T(0.5)) * erfc_tail(a, a * b(static_cast<T>(root)), T(0.5)), share = xsimd::select(x > b(T(0)), b(T(1)) - y, y);
    if constexpr (sizeof(T) == 4 || has_avx512<A>) return share;
    const b z = x * b(static_cast<T>(root));
    return xsimd::select(xsimd::abs(z) < b(T(0.5)), math::fma(b(T(0.5)), small_erf(z), b(T(0.5))), share);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
