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

// Conversions round to nearest, ties to even. A NaN stays one; what becomes a half or comes from one is quiet, with its sign
// and as much of its payload as there is room for. That is what F16C does, bit for bit; of a NaN, GPUs keep less. `U` is a
// number of 32 bits, or a vector of such, and `F` its floats.

/// The bits of a float, from those of a half.
template <class U, class F> CROTON_HD constexpr U half_to_float(U h) {
    constexpr std::uint32_t infinite = 0x7c00u << 13, bias = (127u - 15u) << 23, one = 1u << 23;
    const U u = (h & 0x7fffu) << 13, sign = (h & 0x8000u) << 16, none{};
    // A subnormal number as the difference of two normal ones.
    const F subnormal = __builtin_bit_cast(F, u + (bias + one)) - __builtin_bit_cast(F, none + (bias + one));
    const U normal = u + bias + (u >= infinite ? none + bias : none) + (u > infinite ? (u | 0x00400000u) - u : none);
    return sign | (u < one ? __builtin_bit_cast(U, subnormal) : normal);
}

/// The bits of a half, from those of a float.
template <class U, class F> CROTON_HD constexpr U float_to_half(U f) {
    // 65536 and above are infinite; what rounds to it from below becomes so by the carry. Below 2^-14 numbers are subnormal:
    // adding 0.5 moves the last digit that half has there to the last one of float, which rounds.
    constexpr std::uint32_t infinite = 0xffu << 23, overflow = (127u + 16u) << 23, underflow = (127u - 14u) << 23, magic = 126u << 23;
    const U u = f & 0x7fffffffu, none{};
    const F small = __builtin_bit_cast(F, u < underflow ? u : none) + __builtin_bit_cast(F, none + magic);
    const U normal = (u - ((127u - 15u) << 23) + 0xfffu + ((u >> 13) & 1u)) >> 13;
    const U finite = u < underflow ? __builtin_bit_cast(U, small) - magic : normal;
    const U special = u > infinite ? ((u >> 13) & 0x3ffu) | 0x7e00u : none + 0x7c00u;
    return (u >= overflow ? special : finite) | ((f >> 16) & 0x8000u);
}

template <class U> CROTON_HD constexpr U bfloat16_to_float(U b) { return b << 16; }

template <class U> CROTON_HD constexpr U float_to_bfloat16(U f) {
    return (f & 0x7fffffffu) > 0x7f800000u ? (f >> 16) | 0x40u : (f + 0x7fffu + ((f >> 16) & 1u)) >> 16;
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
        bits = static_cast<std::uint16_t>(detail::float_to_half<std::uint32_t, float>(__builtin_bit_cast(std::uint32_t, static_cast<float>(value))));
    }
    CROTON_HD constexpr operator float() const {
#if CROTON_HAS_GPU_CODE
        if (!__builtin_is_constant_evaluated()) {
            float value;
            asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
            return value;
        }
#endif
        return __builtin_bit_cast(float, detail::half_to_float<std::uint32_t, float>(bits));
    }

    CROTON_HD static constexpr half from_bits(std::uint16_t bits) { return __builtin_bit_cast(half, bits); }
    /// The conversions on bits, for vectors of them.
    template <class U, class F> CROTON_HD static constexpr U widen(U stored) { return detail::half_to_float<U, F>(stored); }
    template <class U, class F> CROTON_HD static constexpr U narrow(U wide) { return detail::float_to_half<U, F>(wide); }
};

/// The upper half of a float: 8 bits of precision, the range of float. It stores a number and computes nothing, as `half`.
struct bfloat16 {
    std::uint16_t bits;

    bfloat16() = default;
    template <class N>
        requires std::is_arithmetic_v<N>
    CROTON_HD constexpr bfloat16(N value)
        : bits(static_cast<std::uint16_t>(detail::float_to_bfloat16(__builtin_bit_cast(std::uint32_t, static_cast<float>(value))))) {}
    CROTON_HD constexpr operator float() const { return __builtin_bit_cast(float, detail::bfloat16_to_float(std::uint32_t{bits})); }

    CROTON_HD static constexpr bfloat16 from_bits(std::uint16_t bits) { return __builtin_bit_cast(bfloat16, bits); }
    /// The conversions on bits, for vectors of them.
    template <class U, class F> CROTON_HD static constexpr U widen(U stored) { return detail::bfloat16_to_float<U>(stored); }
    template <class U, class F> CROTON_HD static constexpr U narrow(U wide) { return detail::float_to_bfloat16<U>(wide); }
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
