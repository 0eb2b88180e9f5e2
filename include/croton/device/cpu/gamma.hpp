// SPDX-License-Identifier: MIT
// lgamma and its derivative digamma of one SIMD register: within 8 units in the last place.
#ifndef CROTON_DEVICE_CPU_GAMMA_HPP
#define CROTON_DEVICE_CPU_GAMMA_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/tabled_logarithm.hpp>
#include <croton/kernel/special.hpp>

#include <cmath>
#include <type_traits>

namespace croton::inline v0_1::simd {

template <class T> T log_gamma(T x) {
    // The function of C writes the sign into a variable that all threads share.
    [[maybe_unused]] int sign = 0;
    if constexpr (sizeof(T) == 4 && requires { lgammaf_r(x, &sign); }) return lgammaf_r(x, &sign);
    else if constexpr (requires { lgamma_r(x, &sign); }) return static_cast<T>(lgamma_r(x, &sign));
    else return std::lgamma(x);
}

namespace math {

/// lgamma(2 + t) / t for |t| <= 0.5, within 2^-31 and 2^-59, and the series of Stirling, which beyond 10.5 is as exact.
template <class T> struct gamma_constants;
template <> struct gamma_constants<float> {
    static constexpr float near_two[] = {
        0.42278433500660284f, 0.32246703468904403f, -0.06735228225153334f, 0.020580734379125002f, -0.007386158627600302f, 0.002891732872573613f,
        -0.001185959222168306f, 0.0005015159544572985f, -0.00025361895255782705f, 0.00012236510317002454f};
    static constexpr float stirling[] = {1.0f / 12, -1.0f / 360};
};
template <> struct gamma_constants<double> {
    static constexpr double near_two[] = {
        0.42278433509846713, 0.32246703342411326, -0.06735230105319831, 0.02058080842778057, -0.007385551028649717, 0.0028905103310236267,
        -0.0011927539127579584, 0.0005096695156788253, -0.00022315473517631312, 9.945766999617653e-05, -4.492653099626366e-05, 2.0505617690574888e-05,
        -9.437237680130883e-06, 4.384588398576486e-06, -2.049750526651982e-06, 9.203179039518745e-07, -4.2005112026407347e-07, 2.784913287076473e-07,
        -1.4328800491752466e-07};
    static constexpr double stirling[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
};

/// digamma((3 + u) / 2) over the distance from its root, in two parts, for |u| <= 1, within 9e-10 and 2e-17; and its asymptotic series, which beyond 10 is as exact.
template <class T> struct digamma_constants;
template <> struct digamma_constants<float> {
    static constexpr float root[] = {1.4616321325302124f, 1.2438149938918909e-08f};
    static constexpr float ratio[] = {
        0.9510558754378758f, -0.21181371044279412f, 0.06013566375913525f, -0.018550629611152995f, 0.005936301096815212f, -0.0019349019790636508f,
        0.0006389618853826938f, -0.00021143952188013511f, 6.607509272671307e-05f, -2.1966869792712897e-05f, 1.0960113648864737e-05f, -3.650802294453097e-06f};
    static constexpr float beyond[] = {1.0f / 12, -1.0f / 120, 1.0f / 252};
};
template <> struct digamma_constants<double> {
    static constexpr double root[] = {1.4616321449683622, 9.549995429965697e-17};
    static constexpr double ratio[] = {
        0.951055876031833, -0.21181371064073026, 0.06013562106019355, -0.018550615381738605, 0.005936795278433826, -0.0019350666647832667,
        0.000636888028319074, -0.00021074841215733007, 6.995020484160625e-05, -2.325823828431376e-05, 7.741156881253708e-06, -2.578107848270217e-06,
        8.591324222417666e-07, -2.8628755280038686e-07, 9.500926192924096e-08, -3.166618072027162e-08, 1.10370884388543e-08, -3.6788868183645545e-09,
        8.668257373761658e-10, -2.889363639216111e-10, 2.4765474440031764e-10, -8.25512972008104e-11};
    static constexpr double beyond[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
};

/// Up to 10 the number is brought between 1 and 2 by whole steps.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> digamma(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = digamma_constants<T>;
    const b one(T(1));
    const auto far = x >= b(T(10)), usual = x > b(T(0));
    b y;
    if (!xsimd::all(far)) {
        const b whole = xsimd::floor(x), t = x - whole;
        const auto below = x < one;
        // Two quotients of four steps each round less than one of eight.
        b over[2] = {xsimd::select(below, -one, b(T(0))), b(T(0))}, under[2] = {xsimd::select(below, t, one), one};
        CROTON_UNROLLED
        for (int j = 1; j <= 8; ++j) {
            const auto above = whole > b(T(j) + T(0.5));
            const b factor = t + b(T(j));
            over[j % 2] = xsimd::select(above, math::fma(over[j % 2], factor, under[j % 2]), over[j % 2]);
            under[j % 2] = xsimd::select(above, under[j % 2] * factor, under[j % 2]);
        }
        y = math::fma((t + one - b(c::root[0])) - b(c::root[1]), polynomial(t + t - one, c::ratio), over[0] / under[0] + over[1] / under[1]);
    }
    if (xsimd::any(far)) {
        const b inverse = one / x, square = inverse * inverse;
        y = xsimd::select(far, math::log(x) - math::fma(square, polynomial(square, c::beyond), b(T(0.5)) * inverse), y);
    }
    if (xsimd::all(usual)) [[likely]] return y;
    return xsimd::select(usual, y, each_lane([](T v) { return kernel::digamma(v); }, x));
}

/// Up to 10.5 the number is brought near 2 by whole steps, whose factors are one logarithm; near 1 and 2, where lgamma is 0, what is added
/// is small as well.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> lgamma(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = gamma_constants<T>;
    const b one(T(1)), whole = xsimd::nearbyint(x), t = x - whole;
    const auto far = x > b(T(10.5)), below = whole < b(T(1.5));
    b factors = xsimd::select(whole < b(T(0.5)), x * (x + one), xsimd::select(below, x, one));
    for (int j = 3; j <= 10; ++j) factors = xsimd::select(whole > b(T(j) - T(0.5)), factors * (t + b(T(j - 1))), factors);
    const b l = math::log(xsimd::select(far, x, factors));
    const b near = math::fma(t, polynomial(t, c::near_two), xsimd::select(below, -l, l));
    const b inverse = one / x, series = inverse * polynomial(inverse * inverse, c::stirling);
    const b y = xsimd::select(far, math::fma(x - b(T(0.5)), l - one, series + b(T(0.41893853320467274178))), near);
    const auto usual = x > b(T(0));
    if (xsimd::all(usual)) [[likely]] return y;
    return xsimd::select(usual, y, each_lane([](T v) { return log_gamma(v); }, x));
}

}  // namespace math

}  // namespace croton::inline v0_1::simd

#endif

#endif
