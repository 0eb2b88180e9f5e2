// SPDX-License-Identifier: MIT
// Functions of one element on arrays, or with another number of operands than they take: each only says so.
#ifndef CROTON_OPS_REFUSED_FUNCTIONS_HPP
#define CROTON_OPS_REFUSED_FUNCTIONS_HPP

#include <croton/ops/refused.hpp>

namespace croton::inline v0_1 {

template <class... X> requires detail::misused<1, X...>
constexpr auto exp2(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto log2(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto log10(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto cbrt(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto rsqrt(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto reciprocal(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto sin(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto cos(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto tan(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto asin(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto acos(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto atan(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto sinh(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto cosh(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto asinh(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto acosh(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto atanh(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto degrees(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto radians(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto erfc(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto erfinv(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto lgamma(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto digamma(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto logit(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto silu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto mish(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto softsign(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto selu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto hard_sigmoid(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto hard_swish(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto floor(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto ceil(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto trunc(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto round(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto isinf(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto isfinite(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto atan2(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto hypot(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto fmod(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto remainder(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto floor_divide(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto divmod(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto copysign(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto heaviside(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto nextafter(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto xlogy(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto xlog1py(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<3, X...>
constexpr auto fma(const X&... x) noexcept(detail::says_misuse<3, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<3, X...>
constexpr auto lerp(const X&... x) noexcept(detail::says_misuse<3, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto elu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto celu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto leaky_relu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto prelu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }

}  // namespace croton::inline v0_1

#endif
