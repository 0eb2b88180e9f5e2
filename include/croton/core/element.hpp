// SPDX-License-Identifier: MIT
// The element types an array can hold, as types and as values.
#ifndef CROTON_CORE_ELEMENT_HPP
#define CROTON_CORE_ELEMENT_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <croton/core/half.hpp>
#include <croton/core/literals.hpp>

namespace croton::inline v0_1 {

/// The element types: bool, integers of 8 to 64 bits, IEEE single and double precision, and the two that are only stored.
enum class element : std::uint8_t { boolean, int32, int64, float32, float64, float16, brain16, int8, uint8, int16, uint16, uint32, uint64 };

namespace detail {

template <class T> struct element_traits;
template <> struct element_traits<bool> { static constexpr element value = element::boolean; };
template <> struct element_traits<std::int32_t> { static constexpr element value = element::int32; };
template <> struct element_traits<std::int64_t> { static constexpr element value = element::int64; };
template <> struct element_traits<float> { static constexpr element value = element::float32; };
template <> struct element_traits<double> { static constexpr element value = element::float64; };
template <> struct element_traits<half> { static constexpr element value = element::float16; };
template <> struct element_traits<bfloat16> { static constexpr element value = element::brain16; };
template <> struct element_traits<std::int8_t> { static constexpr element value = element::int8; };
template <> struct element_traits<std::uint8_t> { static constexpr element value = element::uint8; };
template <> struct element_traits<std::int16_t> { static constexpr element value = element::int16; };
template <> struct element_traits<std::uint16_t> { static constexpr element value = element::uint16; };
template <> struct element_traits<std::uint32_t> { static constexpr element value = element::uint32; };
template <> struct element_traits<std::uint64_t> { static constexpr element value = element::uint64; };

template <element E> struct element_type_of;
template <> struct element_type_of<element::boolean> { using type = bool; };
template <> struct element_type_of<element::int32> { using type = std::int32_t; };
template <> struct element_type_of<element::int64> { using type = std::int64_t; };
template <> struct element_type_of<element::float32> { using type = float; };
template <> struct element_type_of<element::float64> { using type = double; };
template <> struct element_type_of<element::float16> { using type = half; };
template <> struct element_type_of<element::brain16> { using type = bfloat16; };
template <> struct element_type_of<element::int8> { using type = std::int8_t; };
template <> struct element_type_of<element::uint8> { using type = std::uint8_t; };
template <> struct element_type_of<element::int16> { using type = std::int16_t; };
template <> struct element_type_of<element::uint16> { using type = std::uint16_t; };
template <> struct element_type_of<element::uint32> { using type = std::uint32_t; };
template <> struct element_type_of<element::uint64> { using type = std::uint64_t; };

}  // namespace detail

/// The integers besides int and int64.
template <class T> inline constexpr bool is_narrow_or_unsigned = false;
template <> inline constexpr bool is_narrow_or_unsigned<std::int8_t> = true;
template <> inline constexpr bool is_narrow_or_unsigned<std::uint8_t> = true;
template <> inline constexpr bool is_narrow_or_unsigned<std::int16_t> = true;
template <> inline constexpr bool is_narrow_or_unsigned<std::uint16_t> = true;
template <> inline constexpr bool is_narrow_or_unsigned<std::uint32_t> = true;
template <> inline constexpr bool is_narrow_or_unsigned<std::uint64_t> = true;

/// A type that an array may hold.
template <class T>
concept element_type = requires { detail::element_traits<T>::value; };

/// The value that stands for the element type `T`.
template <element_type T> inline constexpr element element_of = detail::element_traits<T>::value;

/// The C++ type that `E` stands for.
template <element E> using element_t = typename detail::element_type_of<E>::type;

/// Bytes of one element in memory; a bool takes one byte, as in NumPy.
constexpr std::size_t size_of(element e) {
    constexpr std::size_t bytes[] = {1, 4, 8, 4, 8, 2, 2, 1, 1, 2, 2, 4, 8};
    return bytes[static_cast<int>(e)];
}

/// The name a user wrote: `float`, `int`, ...
constexpr std::string_view name_of(element e) {
    using detail::operator""sv;
    constexpr std::string_view names[] = {"bool"sv, "int"sv, "int64"sv, "float"sv, "double"sv, "half"sv, "bfloat16"sv,
                                          "int8"sv, "uint8"sv, "int16"sv, "uint16"sv, "uint32"sv, "uint64"sv};
    return names[static_cast<int>(e)];
}

constexpr bool is_floating(element e) { return e >= element::float32 && e <= element::brain16; }

/// Whether arrays store the type and arithmetic reads it as float.
constexpr bool is_stored_only(element e) { return e == element::float16 || e == element::brain16; }

/// Whether the type is an integer that is never negative.
constexpr bool is_unsigned(element e) {
    return e == element::uint8 || e == element::uint16 || e == element::uint32 || e == element::uint64;
}

/// The integer of type `e` that the low bits of `v` are; of uint64 the same bits.
constexpr std::int64_t wrapped(element e, std::int64_t v) {
    if (e == element::int64 || e == element::uint64) return v;
    if (e == element::boolean) return v != 0;
    const int rest = 64 - 8 * static_cast<int>(size_of(e));
    const std::uint64_t low = static_cast<std::uint64_t>(v) << rest;
    return is_unsigned(e) ? static_cast<std::int64_t>(low >> rest) : static_cast<std::int64_t>(low) >> rest;
}

/// The type that arithmetic on `e` is done in.
constexpr element arithmetic_of(element e) { return is_stored_only(e) ? element::float32 : e; }

}  // namespace croton::inline v0_1

#endif
