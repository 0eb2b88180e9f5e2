// SPDX-License-Identifier: MIT
// Whole arrays compared: == of expressions, of arrays of other libraries, and of what cannot be compared.
#ifndef CROTON_LAZY_EQUALITY_HPP
#define CROTON_LAZY_EQUALITY_HPP

#include <type_traits>

#include <croton/lazy/lazy.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Two that `==` cannot compare: of another element type or rank, where they are not both numbers.
template <class A, class B> inline constexpr bool unlike_arrays = false;
template <lazy_array A, lazy_array B> inline constexpr bool unlike_arrays<A, B> =
    rank_of_array<A> != rank_of_array<B> || (rank_of_array<A> > 0 && !std::is_same_v<typename operand_traits<A>::element, typename operand_traits<B>::element>);

/// The array or the view that holds the elements of `x`.
template <class X> decltype(auto) computed(const X& x) {
    if constexpr (lazy_expression<X>) return x.eval();
    else if constexpr (seen<const X>) return other_array<X>::of(x);
    else return (x);
}

}  // namespace detail

/// Whether the extents and all elements are equal, as of arrays. An array of another library can be one of the two.
template <class A, class B>
    requires (detail::own_array<A> || detail::own_array<B>) && detail::lazy_array<A> && detail::lazy_array<B> && (!detail::unlike_arrays<A, B>) &&
             (detail::lazy_expression<A> || detail::lazy_expression<B> || detail::seen<const A> || detail::seen<const B>)
bool operator==(const A& a, const B& b) { return detail::computed(a) == detail::computed(b); }

/// Of another element type or rank: a compile-time error.
template <class A, class B> requires (detail::own_array<A> || detail::own_array<B>) && detail::lazy_array<A> && detail::lazy_array<B> && detail::unlike_arrays<A, B>
bool operator==(const A&, const B&) {
    static_assert(!detail::unlike_arrays<A, B>, "croton: == compares arrays of one element type and one rank; convert one of them, as in a == cast<float>(b)");
    return false;
}

/// Of an array and a number: a compile-time error, and then what was meant, so that it is the only one.
template <detail::own_array A, detail::number B> requires (A::rank > 0)
auto operator==(const A& a, const B& b) {
    static_assert(A::rank == 0 || !detail::any_sentence_stands<A>(), "croton: == compares whole arrays; element by element it is equal(x, 1), and != is not_equal(x, 1)");
    return equal(a, b);
}

/// Of complex numbers: a compile-time error.
template <detail::own_array A, class B> requires detail::holds_complex<B>
bool operator==(const A&, const B&) {
    detail::say_no_complex<!detail::holds_complex<B>>();
    return false;
}

}  // namespace croton::inline v0_1

#endif
