// SPDX-License-Identifier: MIT
// Quotients of compilers' vectors of integers, each lane by its own number, 0 by 0.
#ifndef CROTON_DEVICE_CPU_INTEGER_DIVISION_HPP
#define CROTON_DEVICE_CPU_INTEGER_DIVISION_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/widths.hpp>
#include <croton/kernel/rest.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::simd {

enum class rounding_of_quotient { to_zero, down };

namespace detail {

/// The floating-point numbers in which quotients of `T` are made.
template <class T> using ratio_of = std::conditional_t<sizeof(T) <= 2, float, double>;
/// What moves whole numbers into the low bits of a floating-point number, and rounds it to one.
template <class F> inline constexpr F whole_numbers = sizeof(F) == 4 ? F(0x1.8p23) : F(0x1.8p52);
template <class F> inline constexpr auto bits_of_whole_numbers = __builtin_bit_cast(signed_of<sizeof(F)>, whole_numbers<F>);

/// `by` with the sign of `v`.
template <class F, std::size_t W> CROTON_INLINE vector_t<F, W> with_sign(F by, const vector_t<F, W>& v) {
    using I = signed_of<sizeof(F)>;
    const auto bits = __builtin_bit_cast(vector_t<I, W>, v);
    return __builtin_bit_cast(vector_t<F, W>, (bits & std::numeric_limits<I>::min()) | __builtin_bit_cast(I, by));
}

/// The bits of whole_numbers + the whole number next to a / b, of whole numbers that leave two digits of `F`; infinity by 0. A half is added to the
/// size of a, so that no ratio is as near to a whole number as it loses: b is inverted, once where it is the same all along.
template <rounding_of_quotient To, bool IsSigned, class F, std::size_t W>
CROTON_INLINE vector_t<signed_of<sizeof(F)>, W> bits_of_quotient(const vector_t<F, W>& a, const vector_t<F, W>& b) {
    using floats = vector_t<F, W>;
    constexpr F half = F(0.5);
    const floats inverse = F(1) / b;
    floats ratio;
    if constexpr (!IsSigned) {
        ratio = (a + half) * inverse - half;
    } else if constexpr (To == rounding_of_quotient::down) {
        ratio = (a + with_sign<F, W>(half, b)) * inverse - half;
    } else {
        const floats near = (a + with_sign<F, W>(half, a)) * inverse;
        ratio = near - with_sign<F, W>(half, near);
    }
    return __builtin_bit_cast(vector_t<signed_of<sizeof(F)>, W>, ratio + whole_numbers<F>);
}

template <class T, std::size_t W> CROTON_INLINE vector_t<ratio_of<T>, W> as_ratio(const vector_t<T, W>& v) {
    // Few processors know numbers of 32 bits without a sign.
    if constexpr (std::is_same_v<T, std::uint32_t>) return vector_cast<double, std::int32_t, W>((vector_t<std::int32_t, W>)(v ^ 0x80000000u)) + 0x1p31;
    else return vector_cast<ratio_of<T>, T, W>(v);
}

/// Where both fit into 50 bits, and there is a quotient.
template <rounding_of_quotient To, class T, std::size_t W> CROTON_INLINE vector_t<T, W> quotient_of_50_bits(const vector_t<T, W>& a, const vector_t<T, W>& b) {
    using words = vector_t<std::int64_t, W>;
    using floats = vector_t<double, W>;
    constexpr std::int64_t whole = bits_of_whole_numbers<double>;
    const auto as_double = [](const words& v) CROTON_INLINED { return __builtin_bit_cast(floats, v + whole) - whole_numbers<double>; };
    return (vector_t<T, W>)(bits_of_quotient<To, std::is_signed_v<T>, double, W>(as_double((words)a), as_double((words)b)) - whole);
}

template <rounding_of_quotient To, class A, class T, std::size_t W> [[gnu::noinline]] vector_t<T, W> quotient_by_lanes(vector_t<T, W> a, vector_t<T, W> b) {
    for (std::size_t i = 0; i < W; ++i) a[i] = To == rounding_of_quotient::down ? kernel::floored_quotient(a[i], b[i]) : kernel::quotient(a[i], b[i]);
    return a;
}

}  // namespace detail

/// a / b without its fraction or rounded down; a quotient without a value (by zero, or lowest by -1) is 0 or lowest, as kernel::quotient has it.
template <rounding_of_quotient To, class A, class T, std::size_t W> CROTON_INLINE vector_t<T, W> vector_quotient(const vector_t<T, W>& a, const vector_t<T, W>& b) {
    using words = vector_t<std::uint64_t, W>;
    using F = detail::ratio_of<T>;
    constexpr std::size_t half = W / 2, most = sizeof(xsimd::batch<float, A>) / sizeof(F);
    const auto low_bits = [&]<std::size_t First, std::size_t Count>(std::index_sequence<First, Count>) CROTON_INLINED {
        // Of infinity, as by 0 and nothing else, the low bits are 0.
        return detail::bits_of_quotient<To, std::is_signed_v<T>, F, Count>(detail::as_ratio<T, Count>(vector_cut<First, T, Count>(a)), detail::as_ratio<T, Count>(vector_cut<First, T, Count>(b)));
    };
    if constexpr (sizeof(T) < 8 && half == most) {
        return vector_cast_joined<T, signed_of<sizeof(F)>, half>(low_bits(std::index_sequence<0, half>()), low_bits(std::index_sequence<half, half>()));
    } else if constexpr (W > most) {
        return vector_joined<T, half>(vector_quotient<To, A, T, half>(vector_cut<0, T, half>(a), vector_cut<0, T, half>(b)),
                                      vector_quotient<To, A, T, half>(vector_cut<half, T, half>(a), vector_cut<half, T, half>(b)));
    } else if constexpr (sizeof(T) == 8) {
        constexpr std::uint64_t limit = std::uint64_t{1} << 49, moved = std::is_signed_v<T> ? limit : 0, outside = ~(2 * limit - 1);
        const words no_divisor = (words)(b == 0) | (((words)b + moved) & outside), none = no_divisor | (((words)a + moved) & outside);
        if (xsimd::all(xsimd::batch<std::int64_t, A>(__builtin_bit_cast(typename xsimd::batch<std::int64_t, A>::register_type, none)) == xsimd::batch<std::int64_t, A>(0))) [[likely]]
            return detail::quotient_of_50_bits<To, T, W>(a, b);
        return detail::quotient_by_lanes<To, A, T, W>(a, b);
    } else {
        return vector_cast<T, signed_of<sizeof(F)>, W>(low_bits(std::index_sequence<0, W>()));
    }
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
