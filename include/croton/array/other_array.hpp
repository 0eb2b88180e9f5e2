// SPDX-License-Identifier: MIT
// How arrays of other libraries are seen where they lie.
#ifndef CROTON_ARRAY_OTHER_ARRAY_HPP
#define CROTON_ARRAY_OTHER_ARRAY_HPP

#include <concepts>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1 {

template <class T, int Rank> class view;

/// Says how an array of another library is seen as a view, without a copy. Where it is specialised for a type, such an array is an argument of
/// functions, beside arrays an operand of expressions, and what `as_view(x)`, views and arrays are made of:
///
///     template <> struct croton::other_array<image> {
///         static constexpr bool owns_elements = true;  // whether they go with the image
///         static auto of(auto& x) { return croton::view(x.pixels(), std::array<std::int64_t, 2>{x.height(), x.width()}); }
///     };
///
/// `of` is called with a const one, too, of which a view reads only. With `is_plain = true` functions such as `sum` take it where no array of croton
/// is beside it: there are none of the same names for it elsewhere.
template <class X> struct other_array;

namespace detail {

/// An array of another library that `other_array` knows.
template <class X>
concept seen = requires(X& x) { other_array<std::remove_cv_t<X>>::of(x); };
template <class X>
concept plainly_seen = requires { requires other_array<std::remove_cv_t<X>>::is_plain; } && seen<X>;
/// The view of an array of type `X`, which is a reference where it has a name.
template <class X> using view_seen = decltype(other_array<std::remove_cvref_t<X>>::of(std::declval<std::remove_reference_t<X>&>()));
template <class X, class T, int Rank>
concept seen_as = seen<std::remove_reference_t<X>> && std::convertible_to<view_seen<X>, view<T, Rank>>;
/// Whether a view of it may be used after the expression that it stands in.
template <class X> inline constexpr bool stays = std::is_lvalue_reference_v<X> || !other_array<std::remove_cvref_t<X>>::owns_elements;

template <class View> struct parts_of_view;
template <class T, int Rank> struct parts_of_view<view<T, Rank>> {
    using element = T;
    static constexpr int rank = Rank;
};
template <class X> using element_seen = typename parts_of_view<view_seen<X>>::element;
template <class X> inline constexpr int rank_seen = parts_of_view<view_seen<X>>::rank;

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
