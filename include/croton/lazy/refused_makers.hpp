// SPDX-License-Identifier: MIT
// Arrays that are made of something else than numbers: each function here only says what it takes.
#ifndef CROTON_LAZY_REFUSED_MAKERS_HPP
#define CROTON_LAZY_REFUSED_MAKERS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <croton/array/makers.hpp>
#include <croton/lazy/operands.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// In the place of an element type that is not said.
struct type_unsaid {};
template <class T> inline constexpr bool can_be_made = std::is_same_v<T, type_unsaid> || element_type<T>;

template <class X> inline constexpr bool goes_as_whole = std::is_convertible_v<const X&, std::int64_t> && !std::is_floating_point_v<X>;
template <class... X> inline constexpr bool are_extents = (std::integral<X> && ...);
template <class... X> inline constexpr bool are_bounds = sizeof...(X) >= 1 && sizeof...(X) <= 3 && (std::is_arithmetic_v<X> && ...);
template <class... X> inline constexpr bool are_wholes = sizeof...(X) >= 1 && sizeof...(X) <= 3 && (goes_as_whole<X> && ...);
template <class... X> inline constexpr bool are_ends = false;
template <class A, class B, class... N> inline constexpr bool are_ends<A, B, N...> =
    sizeof...(N) <= 1 && std::is_convertible_v<const A&, double> && std::is_convertible_v<const B&, double> && (goes_as_whole<N> && ...);
template <class...> inline constexpr bool are_nothing = false;

template <class X> constexpr bool says_of_cast() {
    static_assert(sizeof(X) == 0, "croton: cast takes an element type in angle brackets, and an array: cast<double>(x)");
    return sentence_stands<refused_t<X>>();
}

/// Without an element type a function of arrays is meant that has the same name.
template <class T, bool fits, class... X>
concept made_wrong = (!can_be_made<T> || !fits) && (!std::is_same_v<T, type_unsaid> || ((!traced<X> && !own_array<X>) && ...));

}  // namespace detail

#define CROTON_REFUSE_MAKER(name_, fits_, sentence_)                                                                  \
    template <class T = detail::type_unsaid, class... X> requires (detail::made_wrong<T, detail::fits_<X...>, X...>)  \
    constexpr detail::wrong_result name_(const X&...) {                                                               \
        static_assert(detail::can_be_made<T>, "croton: an array holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers keep real and imaginary parts in arrays of their own"); \
        static_assert(!detail::can_be_made<T>, sentence_);                                                            \
        return {};                                                                                                    \
    }
CROTON_REFUSE_MAKER(zeros, are_extents, "croton: the extents of zeros are whole numbers, as in zeros<float>(2, 3); those of an array has zeros_like(x)")
CROTON_REFUSE_MAKER(ones, are_extents, "croton: the extents of ones are whole numbers, as in ones<float>(2, 3); those of an array has ones_like(x)")
CROTON_REFUSE_MAKER(full, are_nothing, "croton: full takes the extents in braces and the value of each element: full<float>({2, 3}, 0.5)")
CROTON_REFUSE_MAKER(arange, are_bounds, "croton: arange takes one to three numbers: arange<float>(stop), arange<float>(start, stop), arange<float>(start, stop, step)")
CROTON_REFUSE_MAKER(linspace, are_ends, "croton: linspace takes two numbers, and how many there are, a whole one: linspace<float>(0, 1, 5)")
CROTON_REFUSE_MAKER(eye, are_wholes, "croton: eye takes whole numbers, the extents and the place of the diagonal: eye<float>(3), eye<float>(3, 4, 1)")
#undef CROTON_REFUSE_MAKER

// With extents in braces, and no value behind them, or none that is a number.
template <class T = double, std::size_t N> constexpr detail::wrong_result full(const std::int64_t (&)[N]) { return full<T>(N); }
template <class T = double, std::size_t N, class V> requires (!element_type<T> || !std::is_convertible_v<const V&, T>)
constexpr detail::wrong_result full(const std::int64_t (&)[N], const V&) { return full<T>(N); }

/// Without an element type, or with none, or of what has no elements.
template <class T = detail::type_unsaid, class X>
    requires ((!element_type<T> && !(detail::complex_like<T> && traced<X>)) || !(traced<X> || detail::own_array<X> || detail::on_arrays<const X&> || detail::on_wrong<X>))
constexpr auto cast(const X& x) noexcept(detail::says_of_cast<X>()) { return detail::refused(x); }

}  // namespace croton::inline v0_1

#endif
