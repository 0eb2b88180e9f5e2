// SPDX-License-Identifier: MIT
// What is written out of habit and cannot be meant: each operator and function here only says what to write instead.
#ifndef CROTON_OPS_REFUSED_HPP
#define CROTON_OPS_REFUSED_HPP

#include <iosfwd>

#include <croton/core/wrong.hpp>
#include <croton/graph/result.hpp>
#include <croton/ops/elementwise.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// An array or a view: it holds numbers and no node of a graph.
template <class X>
concept array_like = !traced<X> && requires(const X& x) {
    X::rank;
    x.data();
    x.extents();
};
template <class... X>
concept some_arrays = (array_like<X> || ...) && ((array_like<X> || operand<X>) && ...);

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

template <class... X> constexpr refused_t<X...> refuse_arrays(const X&... x) {
    constexpr bool in_lambda = (traced<X> || ...);
    static_assert(!in_lambda, "croton: an array meets an expression; pass the array to the function as an argument, and declare a parameter for it");
    static_assert(in_lambda, "croton: arrays are computed with in a function, as in "
                             "auto f = function<cpu>([](vector<float> x) { return exp(x); }); and then f(a)");
    return refused(x...);
}

}  // namespace detail

template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator%(A a, B b) {
    static_assert(sizeof(A) == 0, "croton: expressions have no operator %; a remainder is an operator of your own, elementwise<Op>(a, b)");
    return detail::refused(a, b);
}
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto operator^(A a, B b) {
    static_assert(sizeof(A) == 0, "croton: expressions have no operator ^; a power is pow(a, b), and an exclusive or of bools is a != b");
    return detail::refused(a, b);
}
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto max(A a, B b) {
    static_assert(sizeof(A) == 0, "croton: max and min reduce one expression along axes; the larger of two is maximum(a, b), the smaller minimum(a, b)");
    return detail::refused(a, b);
}
template <class A, class B> requires detail::some_traced<A, B>
constexpr auto min(A a, B b) { return max(a, b); }

/// The built-in one would drop `a`: what it gives is refused where a lambda returns it.
template <traced A, class B> constexpr detail::comma operator,(const A&, const B&) { return {}; }

template <class Char, class Traits, traced X> constexpr std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const X& x) {
    static_assert(sizeof(X) == 0, "croton: an expression has no values to print while tracing; return it as an output, and print that");
    x.graph->stopped = true;
    return out;
}

// On arrays

template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator+(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator-(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator*(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator/(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator<(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator>(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator<=(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator>=(const A& a, const B& b) -> detail::refused_t<A, B> { return detail::refuse_arrays(a, b); }

template <class... X> requires detail::some_arrays<X...>
constexpr auto exp(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto expm1(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto log(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto log1p(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto sqrt(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto sqr(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto abs(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto sign(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto tanh(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto sigmoid(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto softplus(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto relu(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto gelu(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto log1mexp(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto pow(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto maximum(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto minimum(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto logaddexp(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto clip(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto where(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto isnan(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto dot(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto matmul(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto outer(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto flatten(const X&... x) -> detail::refused_t<X...> { return detail::refuse_arrays(x...); }

template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto sum(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto prod(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto mean(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto max(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto min(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto all(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto any(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto argmax(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto argmin(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto softmax(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto log_softmax(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto logsumexp(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }
template <int... Axes, class X> requires detail::some_arrays<X>
constexpr auto transpose(const X& x) -> detail::refused_t<X> { return detail::refuse_arrays(x); }

}  // namespace croton::inline v0_1

#endif
