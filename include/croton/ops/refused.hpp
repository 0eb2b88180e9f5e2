// SPDX-License-Identifier: MIT
// What is written out of habit and cannot be meant: each operator and function here only says what to write instead.
#ifndef CROTON_OPS_REFUSED_HPP
#define CROTON_OPS_REFUSED_HPP

#include <initializer_list>
#include <iosfwd>

#include <croton/core/wrong.hpp>
#include <croton/graph/result.hpp>
#include <croton/ops/along.hpp>
#include <croton/ops/refused_axes.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// An array or a view: it holds numbers and no node of a graph.
template <class X>
concept array_like = !traced<X> && requires(const X& x) {
    X::rank;
    x.data();
    x.extents();
};
/// One of rank 0 is a number too, unless an expression is with it.
template <class X>
concept array_with_axes = array_like<X> && X::rank != 0;
/// An expression on arrays.
template <class X>
concept unevaluated = requires { typename X::lazy_graph; };
template <class... X>
concept some_arrays = (traced<X> || ...) && ((array_like<X> || unevaluated<X>) || ...) && ((array_like<X> || unevaluated<X> || operand<X>) && ...);

template <class First, class... Rest> constexpr auto first_traced(const First& first, const Rest&... rest) {
    if constexpr (traced<First>) return as_number(first);
    else return first_traced(rest...);
}

/// What stands for the result, so that nothing else is wrong with it.
template <class... X> constexpr auto refused(const X&... x) {
    if constexpr ((traced<X> || ...)) {
        const auto first = first_traced(x...);
        first.graph->stopped = true;
        return first;
    } else {
        return wrong_result();
    }
}
template <class... X> struct refusal {
    using type = wrong_result;
};
template <class... X> requires (traced<X> || ...)
struct refusal<X...> {
    using type = decltype(first_traced(std::declval<const X&>()...));
};
template <class... X> using refused_t = typename refusal<X...>::type;

/// What stands in braces, of which C++ tells a function how many there are, and no types.
struct in_braces {
    template <class X> constexpr in_braces(const X&) {}
    constexpr in_braces(std::initializer_list<in_braces>) {}
};

/// Says that an array stands where only expressions do. What is refused calls it in its noexcept-specifier, for a compiler reads that where the call stands, and a
/// body not before the whole lambda has been read.
template <class... X> constexpr bool says_array_met() {
    static_assert(!(traced<X> || ...), "croton: an array meets an expression; pass the array to the function as an argument, and declare a parameter for it");
    return sentence_stands<refused_t<X...>>();
}

template <class X> constexpr bool says_no_power() {
    static_assert(sizeof(X) == 0, "croton: C++ has no ** for powers; they are pow(x, y)");
    return sentence_stands<refused_t<X>>();
}
/// What `*y` gives.
struct starred {
    template <class X> friend constexpr auto operator*(const X& x, starred) noexcept(says_no_power<X>()) -> refused_t<X> { return refused(x); }
};

}  // namespace detail

template <auto... P, class A, class B> requires detail::some_traced<A, B>
constexpr auto max(A a, B b) {
    static_assert(sizeof(A) == 0, "croton: max and min reduce one expression along axes; the larger of two is maximum(a, b), the smaller minimum(a, b)");
    return detail::refused(a, b);
}
template <auto... P, class A, class B> requires detail::some_traced<A, B>
constexpr auto min(A a, B b) { return max(a, b); }

template <class... X> requires ((traced<X> || detail::array_like<X> || detail::unevaluated<X>) || ...)
constexpr auto einsum(const char*, const X&... x) {
    static_assert(sizeof...(X) == 0, "croton: the subscripts of einsum stand in angle brackets: einsum<\"ij,j->i\">(a, x)");
    return detail::refused(x...);
}

/// C++ reads `x ** y` as `x * (*y)`. The sentence is said where that is multiplied: who asks whether `y` is an iterator asks for `*y` alone.
template <class X> requires (traced<X> || detail::array_like<X> || detail::unevaluated<X>)
[[nodiscard]] constexpr detail::starred operator*(const X&) { return {}; }

/// The built-in one would drop `a`: what it gives is refused where a lambda returns it.
template <traced A, class B> constexpr detail::comma operator,(const A&, const B&) { return {}; }

template <class Char, class Traits, traced X> constexpr std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const X& x) {
    static_assert(sizeof(X) == 0, "croton: an expression has no values to print while tracing; return it as an output, and print that");
    x.graph->stopped = true;
    return out;
}

// On arrays

template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator+(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator-(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator*(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator/(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator<(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator>(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator<=(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator>=(const A& a, const B& b) noexcept(detail::says_array_met<A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }

}  // namespace croton::inline v0_1

#endif
