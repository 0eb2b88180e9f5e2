// SPDX-License-Identifier: MIT
// Which numbers an element type holds.
#ifndef CROTON_CORE_NUMBER_RANGE_HPP
#define CROTON_CORE_NUMBER_RANGE_HPP

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <croton/compiler.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>
#include <croton/core/formatted.hpp>
#include <croton/core/half.hpp>
#include <croton/core/message.hpp>

namespace croton::inline v0_1::detail {

/// Whether `T` holds a number: rounded where it has fewer digits, a fraction cut off where it has none, but never another number.
template <class T, class X> CROTON_INLINE bool holds_number(const X& x) {
    if constexpr (std::is_same_v<T, bool>) {
        return x == X(0) || x == X(1);
    } else if constexpr (std::is_integral_v<T> && std::is_integral_v<X> && !std::is_same_v<X, bool>) {
        // Through one of two types, because characters are not compared.
        return std::in_range<T>(static_cast<std::conditional_t<std::is_signed_v<X>, std::int64_t, std::uint64_t>>(x));
    } else if constexpr (std::is_integral_v<T> && !std::is_integral_v<X>) {
        const double whole = std::trunc(static_cast<double>(x));
        return whole >= static_cast<double>(std::numeric_limits<T>::lowest()) && whole < 2 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    } else if constexpr (!std::is_integral_v<T> && !(std::is_floating_point_v<T> && (std::is_integral_v<X> || std::is_same_v<X, T>))) {
        const auto wide = static_cast<double>(x), kept = static_cast<double>(static_cast<T>(x));
        return wide - wide != 0 || kept - kept == 0;
    } else {
        return true;
    }
}

/// What `T` holds, behind "which holds".
template <class T> std::string range_text() {
    if constexpr (std::is_same_v<T, bool>) return "0 and 1";
    else if constexpr (std::is_integral_v<T>) return std::to_string(std::numeric_limits<T>::lowest()) + " to " + std::to_string(std::numeric_limits<T>::max());
    else return "no number as large";
}

template <class X> std::string text_of_number(const X& x) {
    if constexpr (std::is_integral_v<arithmetic_t<X>>) return std::to_string(x);
    else return formatted("%.15g", static_cast<double>(x));
}

template <class T, class X> [[noreturn, gnu::cold, gnu::noinline]] void refuse_assigned(const X& x) {
    refuse<value_error>({text_of_number(x), " is assigned to elements of ", name_of(element_of<T>), ", which holds ", range_text<T>()});
}

/// The number that elements of `T` are set to. What they cannot hold is a `value_error`; truth values are what is not 0, as in NumPy.
template <class T, class X> CROTON_INLINE T assigned_number(const X& x) {
    if constexpr (!std::is_same_v<T, bool> && std::is_arithmetic_v<X>)
        if (!holds_number<T>(x)) [[unlikely]] refuse_assigned<T>(x);
    return static_cast<T>(x);
}

}  // namespace croton::inline v0_1::detail

#endif
