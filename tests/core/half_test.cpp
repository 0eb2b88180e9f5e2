// SPDX-License-Identifier: MIT
// half and bfloat16: every bit pattern to float and back, and every rounding between neighbours.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <croton/core/element.hpp>

using namespace croton;

namespace {

// What the formats mean, in double: `Bits` bits of mantissa are stored, and exponents begin at `Least`.
template <class T> constexpr int mantissa_bits = std::is_same_v<T, half> ? 10 : 7;
template <class T> constexpr int least_exponent = std::is_same_v<T, half> ? -14 : -126;

template <class T> double meaning(std::uint16_t bits) {
    constexpr int m = mantissa_bits<T>;
    const int exponent = (bits & 0x7fff) >> m, fraction = bits & ((1 << m) - 1), all = (1 << (15 - m)) - 1;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == all) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    return sign * std::ldexp(exponent == 0 ? fraction : fraction + (1 << m), (exponent == 0 ? 1 : exponent) - 1 + least_exponent<T> - m);
}

template <class T> bool same(T got, std::uint16_t bits) {
    return std::isnan(meaning<T>(bits)) ? std::isnan(static_cast<float>(got)) && (got.bits & 0x8000) == (bits & 0x8000) : got.bits == bits;
}

template <class T> void check_all() {
    int wrong = 0;
    for (unsigned i = 0; i < 65536; ++i) {
        const auto bits = static_cast<std::uint16_t>(i);
        const float f = T::from_bits(bits);
        const double meant = meaning<T>(bits);
        wrong += std::isnan(meant) ? !std::isnan(f) : f != meant || std::signbit(f) != ((bits & 0x8000) != 0);
        wrong += !same(T(f), bits);
        wrong += !same(T(static_cast<double>(f)), bits);
    }
    CHECK(wrong == 0);

    // Between a number and the next larger one: the middle goes to the even one, what is beside it to the nearer one.
    constexpr std::uint16_t infinite = std::numeric_limits<T>::infinity().bits;
    for (std::uint16_t low = 0; low < infinite; ++low) {
        const auto high = static_cast<std::uint16_t>(low + 1);
        // Rounding knows no largest number: what would be the next one is infinite.
        const double above = high == infinite ? 2 * meaning<T>(low) - meaning<T>(static_cast<std::uint16_t>(low - 1)) : meaning<T>(high);
        const auto middle = static_cast<float>((meaning<T>(low) + above) / 2);
        const std::uint16_t even = (low & 1) != 0 ? high : low;
        const float below = std::nextafter(middle, 0.0f), beyond = std::nextafter(middle, HUGE_VALF);
        // The least bfloat16 is 65536 times the least float; of the others the middle is a float.
        wrong += T(middle).bits != even || T(below).bits != low || T(beyond).bits != high;
        wrong += T(-middle).bits != (even | 0x8000) || T(-below).bits != (low | 0x8000) || T(-beyond).bits != (high | 0x8000);
    }
    CHECK(wrong == 0);

    // A draw from all floats: none is nearer than the one that is taken.
    std::uint32_t state = 1;
    for (int i = 0; i < 1'000'000; ++i) {
        state = state * 1664525u + 1013904223u;
        const auto x = std::bit_cast<float>(state ^ (state >> 13));
        const T rounded(x);
        if (std::isnan(x)) {
            wrong += !std::isnan(static_cast<float>(rounded));
        } else if (std::isinf(static_cast<float>(rounded))) {
            wrong += std::fabs(x) < meaning<T>(infinite - 1) + std::ldexp(1, std::numeric_limits<T>::max_exponent - 2 - mantissa_bits<T>);
        } else {
            const double error = std::fabs(meaning<T>(rounded.bits) - x);
            for (const int step : {-1, 1}) {
                const auto other = static_cast<std::uint16_t>(rounded.bits + step);
                if ((other & 0x8000) == (rounded.bits & 0x8000)) wrong += std::fabs(meaning<T>(other) - x) < error;
            }
        }
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("half: all patterns, all middles") { check_all<half>(); }
TEST_CASE("bfloat16: all patterns, all middles") { check_all<bfloat16>(); }

#if defined(__FLT16_MANT_DIG__)
TEST_CASE("half rounds as the compiler's type does") {
    int wrong = 0;
    std::uint32_t state = 7;
    for (int i = 0; i < 1'000'000; ++i) {
        state = state * 1664525u + 1013904223u;
        const auto x = std::bit_cast<float>(state ^ (state >> 11));
        const auto bits = __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(x));
        wrong += !same(half(x), bits);
    }
    CHECK(wrong == 0);
}
#endif

TEST_CASE("they are constants, numbers to the host, and two bytes") {
    static_assert(half(1.0f).bits == 0x3c00 && half(65504).bits == 0x7bff && half(65520).bits == 0x7c00 && half(-0.0f).bits == 0x8000);
    static_assert(half(65519.99f).bits == 0x7bff && half(0x1p-25f).bits == 0 && half(0x1.8p-25f).bits == 1);
    static_assert(bfloat16(1.0f).bits == 0x3f80 && bfloat16(3.4e38f).bits == 0x7f80 && bfloat16(257).bits == 0x4380);
    static_assert(half(0.5f) + 1 == 1.5f && half(2) < half(3) && half(2) == 2 && -bfloat16(2) == -2.0f);
    static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<half> && std::is_trivially_copyable_v<bfloat16>);
    static_assert(half{}.bits == 0 && bfloat16{}.bits == 0);
    static_assert(element_type<half> && element_type<bfloat16> && size_of(element_of<half>) == 2 && size_of(element_of<bfloat16>) == 2);
    static_assert(name_of(element_of<half>) == "half" && name_of(element_of<bfloat16>) == "bfloat16");
    static_assert(is_floating(element_of<half>) && arithmetic_of(element_of<bfloat16>) == element::float32);
    static_assert(std::is_same_v<element_t<element_of<half>>, half> && std::is_same_v<element_t<element_of<bfloat16>>, bfloat16>);
}

TEST_CASE("their limits") {
    using h = std::numeric_limits<half>;
    using b = std::numeric_limits<bfloat16>;
    static_assert(h::is_specialized && h::digits == 11 && h::digits10 == 3 && h::max_digits10 == 5 && h::radix == 2);
    static_assert(h::max_exponent == 16 && h::min_exponent == -13 && h::max_exponent10 == 4 && h::min_exponent10 == -4);
    static_assert(b::digits == 8 && b::digits10 == 2 && b::max_digits10 == 4);
    static_assert(b::max_exponent == 128 && b::min_exponent == -125 && b::max_exponent10 == 38 && b::min_exponent10 == -37);
    static_assert(h::max() == 65504.0f && h::lowest() == -65504.0f && h::min() == 0x1p-14f && h::denorm_min() == 0x1p-24f && h::epsilon() == 0x1p-10f);
    static_assert(b::max() == 0x1.fep127f && b::min() == 0x1p-126f && b::denorm_min() == 0x1p-133f && b::epsilon() == 0x1p-7f);
    CHECK(std::isinf(static_cast<float>(h::infinity())));
    CHECK(std::isnan(static_cast<float>(h::quiet_NaN())));
    CHECK(std::isinf(static_cast<float>(b::infinity())));
    CHECK(std::isnan(static_cast<float>(b::signaling_NaN())));
}
