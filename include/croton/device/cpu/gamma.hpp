// SPDX-License-Identifier: MIT
// lgamma of one SIMD register: within 8 units in the last place.
#ifndef CROTON_DEVICE_CPU_GAMMA_HPP
#define CROTON_DEVICE_CPU_GAMMA_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/tabled_logarithm.hpp>

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
