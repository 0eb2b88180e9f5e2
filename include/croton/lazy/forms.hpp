// SPDX-License-Identifier: MIT
// The functions on arrays and on expressions of them that have forms of their own: those that take a type, and those that give no expression.
#ifndef CROTON_LAZY_FORMS_HPP
#define CROTON_LAZY_FORMS_HPP

#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/core/literals.hpp>
#include <croton/lazy/equality.hpp>
#include <croton/lazy/lazy.hpp>
#include <croton/ops/closeness.hpp>
#include <croton/ops/filled.hpp>

namespace croton::inline v0_1 {

namespace detail::call_of {

struct zeros_like {
    static constexpr std::string_view name = "zeros_like"sv;
    template <class E> constexpr auto operator()(E e) const { return ::croton::zeros_like(e); }
};

}  // namespace detail::call_of

/// Zeros of the extents of an expression, which is not computed for them.
template <detail::lazy_expression E> auto zeros_like(E&& e) { return detail::lazily<detail::call_of::zeros_like>(std::forward<E>(e)); }
/// Zeros of the extents of a view, or of an array of another library.
template <class X> requires (detail::seen<const X> || (detail::array_like<X> && requires(const X& x) { x.strides(); }))
auto zeros_like(const X& x) {
    using traits = detail::argument_traits<X>;
    return array<typename traits::element, traits::rank, typename traits::device>(detail::computed(x).extents());
}

namespace detail::call_of {

template <class T> struct cast {
    static constexpr std::string_view name = "cast"sv;
    template <class E> constexpr auto operator()(E e) const { return ::croton::cast<T>(e); }
};

}  // namespace detail::call_of

template <element_type T, class X> requires detail::on_arrays<X>
auto cast(X&& x) { return detail::lazily<detail::call_of::cast<T>>(std::forward<X>(x)); }

/// Of a condition that is one truth value, and no number among the others.
template <std::same_as<bool> C, class A, class B> requires detail::on_arrays<A, B>
auto where(C condition, A&& a, B&& b) { return where(array<bool, 0>(condition), std::forward<A>(a), std::forward<B>(b)); }

namespace detail::call_of {

template <class Op> struct elementwise {
    static constexpr std::string_view name = Op::name;
    template <class... E> constexpr auto operator()(E... e) const { return ::croton::elementwise<Op>(e...); }
};

}  // namespace detail::call_of

/// An operator of your own.
template <class Op, class... X> requires detail::on_arrays<X...>
auto elementwise(X&&... x) { return detail::lazily<detail::call_of::elementwise<Op>>(std::forward<X>(x)...); }

namespace detail::call_of {

struct allclose {
    static constexpr std::string_view name = "allclose"sv;
    template <class... E> constexpr auto operator()(E... e) const { return ::croton::allclose(e...); }
};

}  // namespace detail::call_of

/// Whether |a - b| <= absolute + relative |b| for all elements, 1e-5 and 1e-8 where they are not given. Throws `shape_error` where the extents differ.
template <class... X> requires detail::on_arrays<X...>
bool allclose(X&&... x) { return detail::lazily<detail::call_of::allclose>(std::forward<X>(x)...); }

/// An array or a view gives an array of its elements: what is a value already stays one.
template <class A> requires (detail::own_array<A> && !detail::lazy_expression<A>)
auto eval(A&& a) { return array<std::remove_const_t<typename std::remove_cvref_t<A>::value_type>, std::remove_cvref_t<A>::rank>(std::forward<A>(a)); }
/// The values of each: `auto [sign, logabsdet] = eval(std::tuple(a + b, c))`.
template <class... E> auto eval(const std::tuple<E...>& each) {
    return std::apply([](const auto&... e) { return std::tuple(eval(e)...); }, each);
}

/// Whether two arrays have the same extents and the same elements.
template <class A, class B> requires detail::lazy_array<A> && detail::lazy_array<B>
bool array_equal(const A& a, const B& b) { return detail::computed(a) == detail::computed(b); }

}  // namespace croton::inline v0_1

#endif
