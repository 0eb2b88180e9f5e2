// SPDX-License-Identifier: MIT
// Elements of a file in another type than the array's, as NumPy's astype converts them.
#ifndef CROTON_ARRAY_NPY_CONVERT_HPP
#define CROTON_ARRAY_NPY_CONVERT_HPP

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <croton/array/byte_source.hpp>
#include <croton/array/npy_header.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>

namespace croton::inline v0_1 {

/// Passed as the last argument of `load_npy` and `load`, files may hold numbers of another type, or of the other byte order.
/// They are converted as NumPy's `astype` does: fractions are cut off, digits rounded, and a bool says whether the number
/// is not 0. A number that the type cannot hold, such as NaN or 1e10 as an int, is a `file_error`, where NumPy makes up one.
struct astype_t {};
inline constexpr astype_t astype{};

namespace detail {

template <class T> std::string npy_number_text(T number) {
    if constexpr (std::integral<T>) {
        return std::to_string(number);
    } else {
        char text[32];
        return {text, std::to_chars(text, text + sizeof text, static_cast<double>(number)).ptr};
    }
}

/// A number as another type; false where that cannot hold it.
template <class To, class From> bool convert_number(From from, To& to) {
    if constexpr (is_stored_only(element_of<To>) || std::floating_point<To>) {
        to = To(static_cast<std::conditional_t<std::floating_point<To>, To, float>>(from));
    } else if constexpr (!std::integral<From>) {
        const auto number = static_cast<double>(from);
        if constexpr (std::same_as<To, bool>) {
            to = number != 0;
        } else {
            // The limits are powers of two, which double holds; NaN fails both comparisons.
            constexpr double lowest = static_cast<double>(std::numeric_limits<To>::min()), limit = 2 * static_cast<double>(std::numeric_limits<To>::max() / 2 + 1);
            if (!(std::trunc(number) >= lowest && std::trunc(number) < limit)) return false;
            to = static_cast<To>(number);
        }
    } else if constexpr (std::same_as<To, bool>) {
        to = from != 0;
    } else {
        if (!std::in_range<To>(from)) return false;
        to = static_cast<To>(from);
    }
    return true;
}

template <class From, class To>
void read_converted_from(byte_source& in, const npy_number& type, To* to, std::int64_t count) {
    constexpr std::int64_t block = 2048;
    unsigned char bytes[block * sizeof(From)];
    while (count > 0) {
        const std::int64_t now = std::min(block, count);
        in.read(bytes, static_cast<std::uint64_t>(now) * sizeof(From));
        for (unsigned char* next = bytes; next < bytes + now * std::int64_t{sizeof(From)}; next += sizeof(From), ++to) {
            if (type.big_endian == low_byte_first) std::reverse(next, next + sizeof(From));
            From from;
            std::memcpy(&from, next, sizeof from);
            if (sizeof(From) == 1 && type.kind == 'b' && *next > 1) throw_no_bool(in.name());
            if (!convert_number(from, *to))
                throw file_error(in.name() + " holds " + npy_number_text(from) + ", which is no " +
                                 std::string(name_of(element_of<To>)));
        }
        count -= now;
    }
}

/// Reads `count` elements of a known type.
template <class To> void read_converted(byte_source& in, const npy_number& type, To* to, std::int64_t count) {
    const auto read = [&]<class From>(From) { read_converted_from<From>(in, type, to, count); };
    switch (type.kind) {
    case 'i':
        if (type.bytes == 1) read(std::int8_t{});
        else if (type.bytes == 2) read(std::int16_t{});
        else if (type.bytes == 4) read(std::int32_t{});
        else read(std::int64_t{});
        break;
    case 'f':
        if (type.bytes == 2) read(half{});
        else if (type.bytes == 4) read(float{});
        else read(double{});
        break;
    default:
        if (type.bytes == 1) read(std::uint8_t{});
        else if (type.bytes == 2) read(std::uint16_t{});
        else if (type.bytes == 4) read(std::uint32_t{});
        else read(std::uint64_t{});
    }
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
