// SPDX-License-Identifier: MIT
// The two 16-bit floating-point types that arrays store and arithmetic reads as float: half and bfloat16.
#ifndef CROTON_CORE_HALF_HPP
#define CROTON_CORE_HALF_HPP

#include <cstdint>
#include <limits>
#include <type_traits>

#include <croton/config.hpp>

namespace croton::inline v0_1 {

namespace detail {

// Conversions round to nearest, ties to even. A NaN stays one: quiet, with its sign and as much of its payload as there is
// room for. That is what F16C does, bit for bit.

CROTON_HD constexpr std::uint32_t bits_of_float(float f) { return __builtin_bit_cast(std::uint32_t, f); }
CROTON_HD constexpr float float_of_bits(std::uint32_t u) { return __builtin_bit_cast(float, u); }

CROTON_HD constexpr float half_to_float(std::uint16_t h) {
    constexpr std::uint32_t infinite = 0x7c00u << 13, bias = (127u - 15u) << 23;
    const std::uint32_t u = (h & 0x7fffu) << 13, sign = (h & 0x8000u) << 16;
    // A subnormal number as the difference of two normal ones.
    const float subnormal = float_of_bits(u + bias + (1u << 23)) - float_of_bits(bias + (1u << 23));
    const std::uint32_t quiet = u > infinite ? 0x00400000u : 0u;
    const std::uint32_t normal = u + bias + (u >= infinite ? bias : 0u);
    return float_of_bits(sign | quiet | (u < (1u << 23) ? bits_of_float(subnormal) : normal));
}

CROTON_HD constexpr std::uint16_t float_to_half(float f) {
    // 65536 and above are infinite; what rounds to it from below becomes so by the carry. Below 2^-14 numbers are subnormal:
    // adding 0.5 moves the last digit that half has there to the last one of float, which rounds.
    constexpr std::uint32_t infinite = 0xffu << 23, overflow = (127u + 16u) << 23, underflow = (127u - 14u) << 23, magic = 126u << 23;
    const std::uint32_t all = bits_of_float(f), u = all & 0x7fffffffu;
    const std::uint32_t nan = 0x7e00u | ((u >> 13) & 0x3ffu);
    const std::uint32_t subnormal = bits_of_float(float_of_bits(u < underflow ? u : 0u) + float_of_bits(magic)) - magic;
    const std::uint32_t normal = (u - ((127u - 15u) << 23) + 0xfffu + ((u >> 13) & 1u)) >> 13;
    const std::uint32_t made = u > infinite ? nan : u >= overflow ? 0x7c00u : u < underflow ? subnormal : normal;
    return static_cast<std::uint16_t>(made | ((all >> 16) & 0x8000u));
}

CROTON_HD constexpr float bfloat16_to_float(std::uint16_t b) {
    const std::uint32_t u = static_cast<std::uint32_t>(b) << 16;
    return float_of_bits(u | ((u & 0x7fffffffu) > 0x7f800000u ? 0x00400000u : 0u));
}

CROTON_HD constexpr std::uint16_t float_to_bfloat16(float f) {
    const std::uint32_t u = bits_of_float(f);
    const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
    return static_cast<std::uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? (u >> 16) | 0x40u : rounded);
}

}  // namespace detail

/// IEEE binary16: 11 bits of precision, up to 65504. It stores a number and computes nothing: it becomes a float where one is
/// needed, and a number becomes a half by rounding to nearest, through float.
struct half {
    std::uint16_t bits;

    half() = default;
    template <class N>
        requires std::is_arithmetic_v<N>
    CROTON_HD constexpr half(N value) : bits(0) {
#if CROTON_HAS_GPU_CODE
        if (!__builtin_is_constant_evaluated()) {
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(static_cast<float>(value)));
            return;
        }
#endif
        bits = detail::float_to_half(static_cast<float>(value));
    }
    CROTON_HD constexpr operator float() const {
#if CROTON_HAS_GPU_CODE
        if (!__builtin_is_constant_evaluated()) {
            float value;
            asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
            return value;
        }
#endif
        return detail::half_to_float(bits);
    }

    CROTON_HD static constexpr half from_bits(std::uint16_t bits) { return __builtin_bit_cast(half, bits); }
};

/// The upper half of a float: 8 bits of precision, the range of float. It stores a number and computes nothing, as `half`.
struct bfloat16 {
    std::uint16_t bits;

    bfloat16() = default;
    template <class N>
        requires std::is_arithmetic_v<N>
    CROTON_HD constexpr bfloat16(N value) : bits(detail::float_to_bfloat16(static_cast<float>(value))) {}
    CROTON_HD constexpr operator float() const { return detail::bfloat16_to_float(bits); }

    CROTON_HD static constexpr bfloat16 from_bits(std::uint16_t bits) { return __builtin_bit_cast(bfloat16, bits); }
};

/// Whether arrays store `T` and arithmetic reads it as float.
template <class T> inline constexpr bool is_storage = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

namespace detail {

template <class T> struct arithmetic_type {
    using type = std::conditional_t<is_storage<T>, float, T>;
};

/// What every type of 16 bits says of itself; `Fraction` bits of mantissa are stored.
template <class T, int Fraction, int MaxExponent> struct storage_limits : std::numeric_limits<float> {
    static constexpr int digits = Fraction + 1, digits10 = Fraction * 30103 / 100000, max_digits10 = 2 + (Fraction + 1) * 30103 / 100000;
    static constexpr int max_exponent = MaxExponent, min_exponent = 3 - MaxExponent;
    static constexpr int max_exponent10 = MaxExponent * 30103 / 100000, min_exponent10 = (2 - MaxExponent) * 30103 / 100000;
    static constexpr std::uint16_t infinite = ((1u << (15 - Fraction)) - 1u) << Fraction;

    static constexpr T min() noexcept { return T::from_bits(1u << Fraction); }
    static constexpr T max() noexcept { return T::from_bits(infinite - 1u); }
    static constexpr T lowest() noexcept { return T::from_bits((infinite - 1u) | 0x8000u); }
    static constexpr T epsilon() noexcept { return T::from_bits(((MaxExponent - 1 - Fraction) << Fraction) & 0x7fff); }
    static constexpr T round_error() noexcept { return T(0.5f); }
    static constexpr T infinity() noexcept { return T::from_bits(infinite); }
    static constexpr T quiet_NaN() noexcept { return T::from_bits(infinite | (1u << (Fraction - 1))); }
    static constexpr T signaling_NaN() noexcept { return T::from_bits(infinite | 1u); }
    static constexpr T denorm_min() noexcept { return T::from_bits(1); }
};

}  // namespace detail

/// The type that arithmetic on `T` is done in: float for `half` and `bfloat16`, else `T`.
template <class T> using arithmetic_t = typename detail::arithmetic_type<T>::type;

}  // namespace croton::inline v0_1

template <> struct std::numeric_limits<croton::half> : croton::detail::storage_limits<croton::half, 10, 16> {};
template <> struct std::numeric_limits<croton::bfloat16> : croton::detail::storage_limits<croton::bfloat16, 7, 128> {};

#endif
