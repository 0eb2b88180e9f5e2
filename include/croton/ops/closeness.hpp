// SPDX-License-Identifier: MIT
// Whether arrays are equal or nearly so.
#ifndef CROTON_OPS_CLOSENESS_HPP
#define CROTON_OPS_CLOSENESS_HPP

#include <limits>
#include <type_traits>

#include <croton/ops/functions.hpp>
#include <croton/ops/reduce.hpp>

namespace croton::inline v0_1 {

/// `a == b` and `a != b`, element by element, under the names that NumPy has for them.
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto equal(A a, B b) { return a == b; }
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto not_equal(A a, B b) { return a != b; }

namespace detail {

/// |b| of an expression, or of a number beside one.
template <operand B> constexpr auto magnitude_of(const B& b) {
    if constexpr (traced<B>) return abs(b);
    else return b < 0 ? -static_cast<double>(b) : static_cast<double>(b);
}

template <class X> concept fractional = traced<X> && std::is_floating_point_v<number_in<X>>;

/// Integers, truth values and numbers as doubles.
template <operand X> constexpr auto with_fractions(const X& x) {
    if constexpr (traced<X>) return cast<double>(x);
    else return static_cast<double>(x);
}

}  // namespace detail

/// Whether |a - b| <= absolute + relative |b|, element by element; infinities are close to themselves, NaN to nothing. Integers and truth
/// values are compared as doubles.
template <class A, class B, class R, class T> requires detail::some_traced<A, B> && detail::operand<R> && detail::operand<T>
constexpr auto isclose(A a, B b, R relative, T absolute) {
    if constexpr (detail::fractional<A> || detail::fractional<B>) {
        const auto margin = absolute + relative * detail::magnitude_of(b);
        return (a == b) | ((abs(a - b) <= margin) & (margin < std::numeric_limits<double>::infinity()));
    } else {
        return isclose(detail::with_fractions(a), detail::with_fractions(b), detail::with_fractions(relative), detail::with_fractions(absolute));
    }
}
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto isclose(A a, B b) { return isclose(a, b, 1e-5, 1e-8); }

/// Whether all elements are close: one bool.
template <class A, class B, class... Margin> requires detail::some_traced<A, B>
constexpr auto allclose(A a, B b, Margin... margin) { return all(isclose(a, b, margin...)); }

/// Whether all elements are equal: one bool. The extents must be the same.
template <traced A, traced B> constexpr auto array_equal(const A& a, const B& b) { return all(a == b); }

}  // namespace croton::inline v0_1

#endif
