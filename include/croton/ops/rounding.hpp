// SPDX-License-Identifier: MIT
// Elementwise functions that round, divide with a rest, and look at what a number is.
#ifndef CROTON_OPS_ROUNDING_HPP
#define CROTON_OPS_ROUNDING_HPP

#include <limits>
#include <tuple>
#include <type_traits>

#include <croton/ops/functions.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Of integers the integer itself, as in NumPy; of other numbers the operator.
template <class Op, traced X> constexpr auto rounded(const X& x) {
    if constexpr (takes_element<op::bitwise_not, element_in<X>>) return as_number(x);
    else return detail::elementwise<Op>(x);
}

}  // namespace detail

/// @name To a whole number of the same type; integers are that already. The slope is 0.
/// @{
template <traced X> constexpr auto floor(const X& x) { return detail::rounded<op::floor>(x); }
template <traced X> constexpr auto ceil(const X& x) { return detail::rounded<op::ceil>(x); }
template <traced X> constexpr auto trunc(const X& x) { return detail::rounded<op::trunc>(x); }
/// To the nearest, from halfway to the even one: 0.5 to 0, 1.5 to 2.
template <traced X> constexpr auto round(const X& x) { return detail::rounded<op::round>(x); }
/// @}

/// @name Division with a rest, of numbers of every type. Integers by 0 give 0, nothing traps.
/// @{
/// The rest with the sign of a, as C has it.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto fmod(A a, B b) { return detail::elementwise<op::fmod>(a, b); }
/// The rest with the sign of b, as Python has it: a - b floor_divide(a, b). NumPy: remainder and %.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto remainder(A a, B b) { return detail::elementwise<op::remainder>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator%(A a, B b) { return detail::elementwise<op::remainder>(a, b); }
/// The quotient rounded down. NumPy: //.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto floor_divide(A a, B b) { return detail::elementwise<op::floor_divide>(a, b); }
/// Both: a std::tuple of floor_divide(a, b) and remainder(a, b).
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto divmod(A a, B b) { return std::tuple(floor_divide(a, b), remainder(a, b)); }
/// @}

/// The size of a with the sign of b, also of a zero and of NaN.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto copysign(A a, B b) { return detail::elementwise<op::copysign>(a, b); }
/// 0 below 0, 1 above, and h at 0.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto heaviside(A x, B h) { return detail::elementwise<op::heaviside>(x, h); }
/// The number next to a, towards b; to the gradient it is a.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto nextafter(A a, B b) { return detail::elementwise<op::nextafter>(a, b); }

/// @name What a number is; of integers that is known
/// @{
template <traced X> constexpr auto isnan(const X& x) { return x != x; }
template <traced X> constexpr auto isinf(const X& x) {
    if constexpr (std::is_floating_point_v<detail::number_in<X>>) return abs(x) == std::numeric_limits<double>::infinity();
    else return x != x;
}
template <traced X> constexpr auto isfinite(const X& x) {
    using T = detail::number_in<X>;
    if constexpr (std::is_floating_point_v<T>) return abs(x) <= std::numeric_limits<T>::max();
    else return x == x;
}
/// x with numbers instead of NaN and the infinities: 0, and the largest and the lowest of its type.
template <traced X> constexpr auto nan_to_num(const X& x, double nan, double posinf, double neginf) {
    if constexpr (std::is_floating_point_v<detail::number_in<X>>) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return where(isnan(x), nan, where(x == infinity, posinf, where(x == -infinity, neginf, x)));
    } else {
        return detail::as_number(x);
    }
}
template <traced X> constexpr auto nan_to_num(const X& x, double nan, double posinf) {
    return nan_to_num(x, nan, posinf, static_cast<double>(std::numeric_limits<detail::number_in<X>>::lowest()));
}
template <traced X> constexpr auto nan_to_num(const X& x, double nan = 0) {
    return nan_to_num(x, nan, static_cast<double>(std::numeric_limits<detail::number_in<X>>::max()));
}
/// @}

}  // namespace croton::inline v0_1

#endif
