// SPDX-License-Identifier: MIT
// The operators and functions of packs and masks, found by argument-dependent lookup from the table of operators.
#ifndef CROTON_DEVICE_CPU_FUNCTIONS_HPP
#define CROTON_DEVICE_CPU_FUNCTIONS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/cube_root.hpp>
#include <croton/device/cpu/error_function.hpp>
#include <croton/device/cpu/hyperbolic.hpp>
#include <croton/device/cpu/logarithm.hpp>
#include <croton/device/cpu/math.hpp>
#include <croton/device/cpu/near.hpp>
#include <croton/device/cpu/pack.hpp>
#include <croton/device/cpu/power.hpp>
#include <croton/device/cpu/tabled_logarithm.hpp>
#include <croton/device/cpu/trigonometry.hpp>
#include <croton/kernel/kernel.hpp>

#include <cmath>
#include <limits>

namespace croton::inline v0_1::simd {

/// `f` of the registers as compilers' vectors.
template <class F, class T, int N, class A> CROTON_INLINE pack<T, N, A> each_vector(F f, const pack<T, N, A>& a, const pack<T, N, A>& b) {
    using reg = typename xsimd::batch<T, A>::register_type;
    using vector = vector_t<T, pack<T, N, A>::width>;
    return detail::each<pack<T, N, A>>([&](const auto& x, const auto& y) CROTON_INLINED {
        return xsimd::batch<T, A>(__builtin_bit_cast(reg, f(__builtin_bit_cast(vector, x.data), __builtin_bit_cast(vector, y.data))));
    }, a, b);
}

/// @name Arithmetic
/// @{
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator+(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x + y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator-(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x - y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator*(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        // xsimd 8 has no 64-bit product on some instruction sets.
        using words = vector_t<std::uint64_t, pack<T, N, A>::width>;
        return each_vector([](const auto& x, const auto& y) CROTON_INLINED { return (words)x * (words)y; }, a, b);
    } else if constexpr (std::is_integral_v<T>) {
        // xsimd 8 multiplies lane by lane on SSE2, where a signed product must not overflow.
        using unsigned_batch = xsimd::batch<std::make_unsigned_t<T>, A>;
        return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
            return xsimd::bitwise_cast<std::remove_cvref_t<decltype(x)>>(xsimd::bitwise_cast<unsigned_batch>(x) *
                                                                         xsimd::bitwise_cast<unsigned_batch>(y));
        }, a, b);
    } else {
        return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x * y; }, a, b);
    }
}
/// Integers truncate; a quotient without a value (by zero, or lowest by -1) is 0 or lowest, it does not trap.
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator/(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    if constexpr (std::is_integral_v<T>) {
        return each_vector(
            [](const auto& x, const auto& y) CROTON_INLINED { return vector_quotient<rounding_of_quotient::to_zero, A, T, pack<T, N, A>::width>(x, y); }, a, b);
    } else {
        return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x / y; }, a, b);
    }
}
/// The whole number below a / b, 0 by 0.
template <class T, int N, class A>
    requires std::is_integral_v<T>
CROTON_INLINE pack<T, N, A> floored(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return each_vector(
        [](const auto& x, const auto& y) CROTON_INLINED { return vector_quotient<rounding_of_quotient::down, A, T, pack<T, N, A>::width>(x, y); }, a, b);
}
/// The same as `/` for loops that wait for the divider.
template <class T, int N, class A>
    requires math::divides_by_products<T, A>
CROTON_INLINE pack<T, N, A> divided_by_products(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return math::quotient(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator-(const pack<T, N, A>& a) {
    // On AVX-512 xsimd 8 subtracts from +0, which would lose the sign of -(+0).
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return std::remove_cvref_t<decltype(x)>(T(-0.0)) - x; }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator+(const pack<T, N, A>& a) { return a; }
template <class T, int N, class A>
CROTON_INLINE pack<T, N, A> fma(const pack<T, N, A>& a, const pack<T, N, A>& b, const pack<T, N, A>& c) {
    // Where there is no instruction for it, xsimd rounds the product.
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y, const auto& z) CROTON_INLINED {
        if constexpr (math::fuses<A>) return math::fma(x, y, z);
        else return math::each_lane([](T u, T v, T w) { return std::fma(u, v, w); }, x, y, z);
    }, a, b, c);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> abs(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return xsimd::abs(x); }, a);
}
/// @}

/// @name Comparisons
/// @{
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator==(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x == y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator!=(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    // xsimd 8 says that NaN != NaN is false.
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return ~(x == y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator<(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x < y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator<=(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x <= y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator>(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return b < a;
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator>=(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return b <= a;
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> isnan(const pack<T, N, A>& a) { return a != a; }
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> isinf(const pack<T, N, A>& a) {
    return detail::each<mask<T, N, A>>(
        [](const auto& x) CROTON_INLINED { return xsimd::abs(x) == xsimd::batch<T, A>(std::numeric_limits<T>::infinity()); }, a);
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> isfinite(const pack<T, N, A>& a) {
    return detail::each<mask<T, N, A>>(
        [](const auto& x) CROTON_INLINED { return xsimd::abs(x) <= xsimd::batch<T, A>(std::numeric_limits<T>::max()); }, a);
}
/// @}

/// @name Truth values
/// @{
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator&&(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x & y; }, a, mask_cast<T>(b));
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator||(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x | y; }, a, mask_cast<T>(b));
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> operator!(const mask<T, N, A>& a) {
    return detail::each<mask<T, N, A>>([](const auto& x) CROTON_INLINED { return ~x; }, a);
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator!=(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return (x & ~y) | (~x & y); }, a,
                                       mask_cast<T>(b));
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator==(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return !(a != b);
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator<(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return !a && b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator<=(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return !a || b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator>(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a && !b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> operator>=(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a || !b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> logical_and(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a && b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> logical_or(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a || b;
}
template <class T, int N, class A> CROTON_INLINE mask<T, N, A> logical_not(const mask<T, N, A>& a) { return !a; }
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> logical_xor(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a != b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> maximum(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a || b;
}
template <class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> minimum(const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return a && b;
}
/// @}

/// The larger number, NaN if either is NaN.
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> maximum(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
        // xsimd::max yields its second operand where either is NaN. Only y is looked at here, so that a running maximum
        // x waits for one instruction and a blend.
        if constexpr (std::is_integral_v<T>) return xsimd::max(x, y);
        else return xsimd::select(y == y, xsimd::max(y, x), y);
    }, a, b);
}
/// The smaller number, NaN if either is NaN.
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> minimum(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
        if constexpr (std::is_integral_v<T>) return xsimd::min(x, y);
        else return xsimd::select(y == y, xsimd::min(y, x), y);
    }, a, b);
}

/// @name Elementary functions; the accuracy of each is measured in tests/device/cpu/pack_test.cpp
/// @{
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> sqrt(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::sqrt(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> sin(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::sin(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> cos(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::cos(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> tan(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::tan(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> asin(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::asin(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> acos(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::acos(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> atan(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::atan(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> sinh(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::sinh(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> cosh(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::cosh(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> tanh(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::tanh(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> asinh(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::asinh(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> acosh(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::acosh(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> atanh(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::atanh(x); }, a);
}
// Without instructions for it xsimd loses the sign of a zero.
template <class A> inline constexpr bool rounds = std::is_base_of_v<xsimd::sse4_1, A>;
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> floor(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED {
        if constexpr (rounds<A>) return xsimd::floor(x);
        else return xsimd::copysign(xsimd::floor(x), x);
    }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> ceil(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED {
        if constexpr (rounds<A>) return xsimd::ceil(x);
        else return xsimd::copysign(xsimd::ceil(x), x);
    }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> trunc(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED {
        if constexpr (rounds<A>) return xsimd::trunc(x);
        else return xsimd::copysign(xsimd::trunc(x), x);
    }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> rint(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return xsimd::nearbyint(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> exp(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::exp(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> exp2(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::exp2(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> expm1(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::expm1(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> log(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::log(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> log2(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::log2(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> log10(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::log10(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> log1p(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::log1p(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> cbrt(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::cbrt(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> erf(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::erf(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> erfc(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::erfc(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> normal_cdf(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::normal_cdf(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> tgamma(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::each_lane([](T v) { return std::tgamma(v); }, x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> round(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::each_lane([](T v) { return std::round(v); }, x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> pow(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
        return math::pow(x, y);
    }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> atan2(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
        return math::atan2(x, y);
    }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> hypot(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
        return math::hypot(x, y);
    }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> fmod(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED {
        return math::fmod(x, y);
    }, a, b);
}
/// @}

/// @name A function of numbers in each lane
/// @{
template <class F, class T, int N, class A, class... More>
CROTON_INLINE auto each_number(F f, const pack<T, N, A>& a, const More&... more) {
    using R = decltype(f(T(), typename More::batch::value_type()...));
    using V = std::conditional_t<std::is_same_v<R, bool>, mask<T, N, A>, pack<T, N, A>>;
    return detail::each<V>([&](const auto&... x) { return math::each_lane(f, x...); }, a, more...);
}
template <class F, class T, int N, class A, class... More>
CROTON_INLINE mask<T, N, A> each_number(F f, const mask<T, N, A>& a, const More&... more) {
    bool lanes[1 + sizeof...(More)][std::size_t{N}], result[std::size_t{N}];
    std::size_t row = 1;
    detail::spill(a, lanes[0]);
    (detail::spill(more, lanes[row++]), ...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        for (std::size_t i = 0; i < std::size_t{N}; ++i) result[i] = f(lanes[I][i]...);
    }(std::make_index_sequence<1 + sizeof...(More)>());
    return detail::fill_mask<mask<T, N, A>>(result);
}
/// @}

}  // namespace croton::inline v0_1::simd

#endif

#endif
