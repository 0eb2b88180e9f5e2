// SPDX-License-Identifier: MIT
// What is known of an argument by its type, its pointer and its extents alone.
#ifndef CROTON_FUNCTION_DIRECT_ARRAYS_HPP
#define CROTON_FUNCTION_DIRECT_ARRAYS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <croton/function/binding.hpp>

namespace croton::inline v0_1::detail {

/// An array whose members `data`, `size` or `extents`, and `strides` say all of it. Those of other libraries mean what they mean there.
template <class X>
concept says_where_it_lies = argument_traits<X>::is_array && (!seen<X> || is_standard_line<X>);

/// Whether an argument of parameter `P` is known by its pointer and its extents. What else may be passed, and what is said of what may not, is the matter of
/// `bind_array`.
template <class P, class Device, class A> inline constexpr bool binds_directly = [] {
    using X = std::remove_cv_t<A>;
    if constexpr (traced<symbol_of<P>>) {
        using T = element_in<symbol_of<P>>;
        if constexpr (std::is_arithmetic_v<X> || is_storage<X>)
            return rank_of<symbol_of<P>> == 0 && !is_shared_parameter<P> && (std::is_floating_point_v<arithmetic_t<T>> || !std::is_floating_point_v<arithmetic_t<X>>);
        else if constexpr (says_where_it_lies<X>)
            return std::is_same_v<typename argument_traits<X>::element, T> && argument_traits<X>::rank == rank_of<symbol_of<P>> &&
                   std::is_same_v<array_device<typename argument_traits<X>::device>, array_device<Device>> &&
                   !(is_shared_parameter<P> && std::is_const_v<std::remove_pointer_t<decltype(std::declval<A&>().data())>>);
    }
    return false;
}();

/// The same of an array for a result.
template <class Device, class Out> constexpr bool holds_directly(element type, int rank) {
    using X = std::remove_cv_t<Out>;
    if constexpr (says_where_it_lies<X>)
        return element_of<typename argument_traits<X>::element> == type && argument_traits<X>::rank == rank &&
               std::is_same_v<array_device<typename argument_traits<X>::device>, array_device<Device>> &&
               !std::is_const_v<std::remove_pointer_t<decltype(std::declval<Out&>().data())>>;
    return false;
}

template <class X> CROTON_INLINE std::int64_t extent_along(const X& x, int axis) {
    if constexpr (requires { x.extents(); }) return x.extent(axis);
    else return static_cast<std::int64_t>(x.size());
}

/// Whether the elements of an array lie side by side in row-major order.
template <class X> CROTON_INLINE bool lies_in_order(const X& x) {
    if constexpr (requires { x.strides(); }) return x.is_contiguous();
    else return true;
}

/// Whether the bytes from two places on have none in common.
CROTON_INLINE bool are_apart(const std::byte* a, std::int64_t a_bytes, const std::byte* b, std::int64_t b_bytes) {
    const auto x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
    const auto before = static_cast<std::uintptr_t>(a_bytes), behind = static_cast<std::uintptr_t>(b_bytes);
    // From a_bytes - 1 before b to b_bytes - 1 behind it they share some.
    return x - y + (before - 1) >= before + behind - 1;
}

/// Whether an array's memory is its own: two of these are one array, or have no byte in common.
template <class X> inline constexpr bool owns_its_memory = false;
template <class T, int Rank, class Device> inline constexpr bool owns_its_memory<array<T, Rank, Device>> = true;

}  // namespace croton::inline v0_1::detail

#endif
