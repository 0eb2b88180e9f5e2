// SPDX-License-Identifier: MIT
// Elementwise functions: of exponentials, angles, the error function and the gamma function. Each only names its entry in the table.
#ifndef CROTON_OPS_FUNCTIONS_HPP
#define CROTON_OPS_FUNCTIONS_HPP

#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

// Each takes float or double, where nothing else is said; convert integers with cast<float>(x). The names are those of NumPy or SciPy.

template <traced X> constexpr auto exp(const X& x) { return detail::elementwise<op::exp>(x); }
template <traced X> constexpr auto expm1(const X& x) { return detail::elementwise<op::expm1>(x); }
template <traced X> constexpr auto log(const X& x) { return detail::elementwise<op::log>(x); }
template <traced X> constexpr auto log1p(const X& x) { return detail::elementwise<op::log1p>(x); }
template <traced X> constexpr auto sqrt(const X& x) { return detail::elementwise<op::sqrt>(x); }
template <traced X> constexpr auto sqr(const X& x) { return detail::elementwise<op::square>(x); }
template <traced X> constexpr auto abs(const X& x) { return detail::elementwise<op::absolute>(x); }
template <traced X> constexpr auto sign(const X& x) { return detail::elementwise<op::sign_>(x); }
template <traced X> constexpr auto tanh(const X& x) { return detail::elementwise<op::tanh>(x); }
/// 2^x.
template <traced X> constexpr auto exp2(const X& x) { return detail::elementwise<op::exp2>(x); }
template <traced X> constexpr auto log2(const X& x) { return detail::elementwise<op::log2>(x); }
template <traced X> constexpr auto log10(const X& x) { return detail::elementwise<op::log10>(x); }
/// 1 / sqrt(x), each of the two rounded as it should be: no estimate.
template <traced X> constexpr auto rsqrt(const X& x) { return 1 / sqrt(x); }
/// 1 / x; no integers.
template <traced X> constexpr auto reciprocal(const X& x) { return 1 / x; }
/// The cube root, of negative numbers too.
template <traced X> constexpr auto cbrt(const X& x) { return detail::elementwise<op::cbrt>(x); }

/// @name Angles, in radians. Every angle is reduced exactly, however large.
/// @{
template <traced X> constexpr auto sin(const X& x) { return detail::elementwise<op::sin>(x); }
template <traced X> constexpr auto cos(const X& x) { return detail::elementwise<op::cos>(x); }
template <traced X> constexpr auto tan(const X& x) { return detail::elementwise<op::tan>(x); }
template <traced X> constexpr auto asin(const X& x) { return detail::elementwise<op::asin>(x); }
template <traced X> constexpr auto acos(const X& x) { return detail::elementwise<op::acos>(x); }
template <traced X> constexpr auto atan(const X& x) { return detail::elementwise<op::atan>(x); }
/// The angle of the point (x, y), from -pi to pi; of zeros and infinities as C and NumPy have it. NumPy: arctan2.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto atan2(A y, B x) { return detail::elementwise<op::atan2>(y, x); }
/// sqrt(a^2 + b^2), without overflow. Its slope at (0, 0) is NaN.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto hypot(A a, B b) { return detail::elementwise<op::hypot>(a, b); }
template <traced X> constexpr auto sinh(const X& x) { return detail::elementwise<op::sinh>(x); }
template <traced X> constexpr auto cosh(const X& x) { return detail::elementwise<op::cosh>(x); }
template <traced X> constexpr auto asinh(const X& x) { return detail::elementwise<op::asinh>(x); }
template <traced X> constexpr auto acosh(const X& x) { return detail::elementwise<op::acosh>(x); }
template <traced X> constexpr auto atanh(const X& x) { return detail::elementwise<op::atanh>(x); }
/// From radians to degrees, and back.
template <traced X> constexpr auto degrees(const X& x) { return x * (180 / 3.14159265358979323846); }
template <traced X> constexpr auto radians(const X& x) { return x * (3.14159265358979323846 / 180); }
/// @}

/// @name The error function, the gamma function and their like; SciPy: scipy.special
/// @{
template <traced X> constexpr auto erf(const X& x) { return detail::elementwise<op::erf>(x); }
template <traced X> constexpr auto ndtr(const X& x) { return detail::elementwise<op::ndtr>(x); }
template <traced X> constexpr auto log1mexp(const X& x) { return detail::elementwise<op::log1mexp>(x); }
/// 1 - erf(x), with all digits far above 0.
template <traced X> constexpr auto erfc(const X& x) { return detail::elementwise<op::erfc>(x); }
/// The inverse of erf: infinite at -1 and 1, NaN beyond.
template <traced X> constexpr auto erfinv(const X& x) { return detail::elementwise<op::erfinv>(x); }
/// The logarithm of the size of the gamma function. SciPy: gammaln.
template <traced X> constexpr auto lgamma(const X& x) { return detail::elementwise<op::lgamma>(x); }
/// The derivative of lgamma. SciPy: psi.
template <traced X> constexpr auto digamma(const X& x) { return detail::elementwise<op::digamma>(x); }
/// The n-th derivative of digamma, for whole n from 0; NaN for others. Its slope for n is 0.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto polygamma(A n, B x) { return detail::elementwise<op::polygamma>(n, x); }
/// log(x / (1 - x)), the inverse of sigmoid.
template <traced X> constexpr auto logit(const X& x) { return detail::elementwise<op::logit>(x); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto logaddexp(A a, B b) { return detail::elementwise<op::logaddexp>(a, b); }
/// a log b and a log(1 + b), which are 0 where a is 0: also where the logarithm is infinite.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto xlogy(A a, B b) { return detail::elementwise<op::xlogy>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto xlog1py(A a, B b) { return detail::elementwise<op::xlog1py>(a, b); }
/// @}

/// @name Of two numbers and more
/// @{
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto pow(A x, B p) { return detail::elementwise<op::power>(x, p); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto maximum(A a, B b) { return detail::elementwise<op::maximum>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto minimum(A a, B b) { return detail::elementwise<op::minimum>(a, b); }
template <class A, class B, class C> requires detail::some_traced<A, B, C>
constexpr auto clip(A x, B low, C high) { return detail::elementwise<op::clip>(x, low, high); }
/// a b + c, rounded once.
template <class A, class B, class C> requires detail::some_traced<A, B, C>
constexpr auto fma(A a, B b, C c) { return detail::elementwise<op::fma>(a, b, c); }
/// From a to b as t goes from 0 to 1; exactly a and b there, as in PyTorch.
template <class A, class B, class C> requires detail::some_traced<A, B, C>
constexpr auto lerp(A a, B b, C t) {
    if constexpr (traced<C>) return where(t < 0.5, a + (b - a) * t, b - (b - a) * (1 - t));
    else return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
}
/// @}

}  // namespace croton::inline v0_1

#endif
