// SPDX-License-Identifier: MIT
// What is written out of habit and cannot be meant: each operator and function here only says what to write instead.
#ifndef CROTON_OPS_REFUSED_HPP
#define CROTON_OPS_REFUSED_HPP

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

/// Whether operators and functions are called with arrays, or with another number of operands than they take.
template <std::size_t Count, class... X>
concept misused = some_arrays<X...> || (sizeof...(X) != Count && some_traced<X...>);

template <std::size_t Count, std::size_t Given> struct wrong_operand_count {
    static constexpr void say(text_builder& text) {
        text << "the function takes " << static_cast<int>(Count) << (Count == 1 ? " argument" : " arguments") << ", but is given " << static_cast<int>(Given);
    }
};

/// Says what is wrong. What is refused calls it in its noexcept-specifier, for a compiler reads that where the call stands, and a
/// body not before the whole lambda has been read.
template <std::size_t Count, class... X> constexpr auto says_misuse() {
    if constexpr (some_arrays<X...>) {
        static_assert(!some_arrays<X...>, "croton: an array meets an expression; pass the array to the function as an argument, and declare a parameter for it");
    } else {
        sentence_of<wrong_operand_count<Count, sizeof...(X)>>();
    }
    return sentence_stands<refused_t<X...>>();
}

}  // namespace detail

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

// On arrays, or with another number of operands

template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator+(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator-(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator*(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator/(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator<(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator>(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator<=(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }
template <class A, class B> requires detail::some_arrays<A, B>
constexpr auto operator>=(const A& a, const B& b) noexcept(detail::says_misuse<2, A, B>()) -> detail::refused_t<A, B> { return detail::refused(a, b); }

template <class... X> requires detail::misused<1, X...>
constexpr auto exp(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto expm1(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto log(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto log1p(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto sqrt(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto sqr(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto abs(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto sign(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto tanh(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto sigmoid(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto softplus(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto relu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::some_arrays<X...>
constexpr auto gelu(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto erf(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto ndtr(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto log1mexp(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto pow(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto maximum(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto minimum(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto logaddexp(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<3, X...>
constexpr auto clip(const X&... x) noexcept(detail::says_misuse<3, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<3, X...>
constexpr auto where(const X&... x) noexcept(detail::says_misuse<3, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto isnan(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto dot(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }

// What computes with several and is given one. A number: what is meant to hold it is to be no second error.
#define CROTON_REFUSE_ALONE(name_, takes_, example_)                                                                  \
    template <auto... P, traced X> constexpr auto name_(const X& x) {                                                 \
        static_assert(sizeof(X) == 0, "croton: " #name_ " takes " takes_ ", as in " #name_ example_);                 \
        return detail::of_rank<0>(x);                                                                                 \
    }
CROTON_REFUSE_ALONE(dot, "two arrays", "(x, y)")
CROTON_REFUSE_ALONE(matmul, "two arrays", "(x, y)")
CROTON_REFUSE_ALONE(outer, "two vectors", "(x, y)")
CROTON_REFUSE_ALONE(inner, "two arrays", "(x, y)")
CROTON_REFUSE_ALONE(vdot, "two arrays", "(x, y)")
CROTON_REFUSE_ALONE(kron, "two arrays", "(x, y)")
CROTON_REFUSE_ALONE(tensordot, "two arrays", "<1>(x, y)")
CROTON_REFUSE_ALONE(solve, "a matrix and right sides", "(a, b)")
CROTON_REFUSE_ALONE(solve_triangular, "a matrix and right sides", "(a, b)")
CROTON_REFUSE_ALONE(cho_solve, "the triangle of cholesky and right sides", "(cholesky(a), b)")
CROTON_REFUSE_ALONE(lstsq, "a matrix and right sides", "(a, b)")
CROTON_REFUSE_ALONE(searchsorted, "a sorted vector and what is looked for", "(sorted, x)")
CROTON_REFUSE_ALONE(meshgrid, "two vectors", "(x, y)")
CROTON_REFUSE_ALONE(cross_entropy, "logits and labels", "(x, labels)")
CROTON_REFUSE_ALONE(quantile, "an array and a share", "<0>(x, 0.5)")
CROTON_REFUSE_ALONE(nanquantile, "an array and a share", "<0>(x, 0.5)")
CROTON_REFUSE_ALONE(percentile, "an array and hundredths", "<0>(x, 50)")
CROTON_REFUSE_ALONE(nanpercentile, "an array and hundredths", "<0>(x, 50)")
#undef CROTON_REFUSE_ALONE

template <class... X> requires detail::misused<2, X...>
constexpr auto matmul(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<2, X...>
constexpr auto outer(const X&... x) noexcept(detail::says_misuse<2, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <class... X> requires detail::misused<1, X...>
constexpr auto flatten(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }

// On parts of arrays and along an axis

template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto concatenate(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto stack(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto take(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto take_along_axis(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto add_at(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto set_at(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <int... Axes, class... X> requires detail::some_arrays<X...>
constexpr auto kron(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <extent_code Extent, class... X> requires detail::some_arrays<X...>
constexpr auto segment_sum(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }
template <side... Side, class... X> requires detail::some_arrays<X...>
constexpr auto searchsorted(const X&... x) noexcept(detail::says_misuse<1, X...>()) -> detail::refused_t<X...> { return detail::refused(x...); }

}  // namespace croton::inline v0_1

#endif
