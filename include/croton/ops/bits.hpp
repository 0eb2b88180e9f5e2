// SPDX-License-Identifier: MIT
// Elementwise operators on bits, and the same on truth values.
#ifndef CROTON_OPS_BITS_HPP
#define CROTON_OPS_BITS_HPP

#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

/// @name On truth values
/// @{
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto logical_and(A a, B b) { return detail::elementwise<op::logical_and>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto logical_or(A a, B b) { return detail::elementwise<op::logical_or>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto logical_xor(A a, B b) { return detail::elementwise<op::logical_xor>(a, b); }
template <traced X> constexpr auto logical_not(const X& x) { return !x; }
/// @}

/// @name On the bits of integers; of bools they are the logical ones
/// @{
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto bitwise_and(A a, B b) { return a & b; }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto bitwise_or(A a, B b) { return a | b; }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator^(A a, B b) {
    using T = typename decltype(detail::lead(a, b))::element;
    static_assert(!std::is_floating_point_v<T>, "croton: ^ is the exclusive or of integers and bools; a power is pow(a, b)");
    return detail::logical_or_bitwise<op::logical_xor, op::bitwise_xor>(a, b);
}
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto bitwise_xor(A a, B b) { return a ^ b; }
template <traced X> constexpr auto bitwise_not(const X& x) { return ~x; }
/// @}

/// How many bits of the absolute value of an integer are set, as uint8: NumPy's `bitwise_count`.
template <traced X> constexpr auto bitwise_count(const X& x) { return cast<std::uint8_t>(detail::elementwise<op::bitwise_count>(x)); }

/// @name Shifts of integers: by their width or more, or by a negative number, nothing is left of them but the sign of a right shift
/// @{
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator<<(A a, B b) { return detail::elementwise<op::left_shift>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator>>(A a, B b) { return detail::elementwise<op::right_shift>(a, b); }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto left_shift(A a, B b) { return a << b; }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto right_shift(A a, B b) { return a >> b; }
/// @}

}  // namespace croton::inline v0_1

#endif
