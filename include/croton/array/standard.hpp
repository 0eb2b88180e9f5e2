// SPDX-License-Identifier: MIT
// The standard library's arrays where they lie: std::span, std::vector, std::array, std::mdspan.
#ifndef CROTON_ARRAY_STANDARD_HPP
#define CROTON_ARRAY_STANDARD_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <croton/array/view.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Owner> auto view_of_owner(Owner& x) {
    using T = std::remove_reference_t<decltype(*x.data())>;
    return view<T, 1>(x.data(), {static_cast<std::int64_t>(x.size())});
}

/// A multidimensional view with the members of std::mdspan, whoever brings it: the standard library, the reference implementation of it, or another.
/// Its accessor gives the elements where they lie.
template <class X>
concept mdspan_like = requires(const X& x) {
    typename X::element_type;
    requires std::same_as<std::remove_cvref_t<decltype(x.data_handle())>, typename X::element_type*>;
    requires std::same_as<typename X::reference, typename X::element_type&>;
    { X::rank() } -> std::integral;
    { x.is_strided() } -> std::same_as<bool>;
    x.extents();
};

/// Whether `data` and `size` say all of it.
template <class X> inline constexpr bool is_standard_line = false;
template <class T, std::size_t N> inline constexpr bool is_standard_line<std::span<T, N>> = true;
template <class T, class A> inline constexpr bool is_standard_line<std::vector<T, A>> = true;
template <class T, std::size_t N> inline constexpr bool is_standard_line<std::array<T, N>> = true;

}  // namespace detail

template <class T, std::size_t N> requires element_type<std::remove_const_t<T>>
struct other_array<std::span<T, N>> {
    static constexpr bool owns_elements = false, is_plain = true;
    static view<T, 1> of(std::span<T, N> x) { return detail::view_of_owner(x); }
};
// A std::vector<bool> has no elements in memory.
template <class T, class A> requires (element_type<T> && !std::same_as<T, bool>)
struct other_array<std::vector<T, A>> {
    static constexpr bool owns_elements = true, is_plain = true;
    template <class X> static auto of(X& x) { return detail::view_of_owner(x); }
};
template <class T, std::size_t N> requires element_type<std::remove_const_t<T>>
struct other_array<std::array<T, N>> {
    static constexpr bool owns_elements = true, is_plain = true;
    template <class X> static auto of(X& x) { return detail::view_of_owner(x); }
};

/// Any layout with strides. Throws `shape_error` where it has none.
template <detail::mdspan_like X> requires element_type<std::remove_cv_t<typename X::element_type>>
struct other_array<X> {
    static constexpr bool owns_elements = false, is_plain = true;
    static auto of(const X& x) {
        constexpr int rank = static_cast<int>(X::rank());
        if (!x.is_strided()) throw shape_error("the elements of an mdspan have no strides, and only copies of them can be computed with");
        extents_of<rank> extents{}, strides{};
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            extents[axis] = static_cast<std::int64_t>(x.extents().extent(static_cast<typename X::rank_type>(axis)));
            if constexpr (rank > 0) strides[axis] = static_cast<std::int64_t>(x.stride(static_cast<typename X::rank_type>(axis)));
        }
        return view<typename X::element_type, rank>(x.data_handle(), extents, strides);
    }
};

}  // namespace croton::inline v0_1

#endif
