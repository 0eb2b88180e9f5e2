// SPDX-License-Identifier: MIT
// Lanes of the integers that are neither int nor int64, and truth values beside them, as the vectors of the compiler.
#ifndef CROTON_DEVICE_CPU_INTEGERS_HPP
#define CROTON_DEVICE_CPU_INTEGERS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/integer_division.hpp>
#include <croton/device/cpu/shifts.hpp>
#include <croton/kernel/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::simd {

/// Whether lanes of `T` are compilers' vectors: xsimd 8 lacks parts of their arithmetic, and fills whole registers only.
template <class T>
inline constexpr bool is_vector_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, std::int32_t> && !std::is_same_v<T, std::int64_t>;

template <class A> inline constexpr int register_bytes = static_cast<int>(sizeof(xsimd::batch<float, A>));

/// `W` integers in a register or in a part of one.
template <class T, std::size_t W> struct integer_batch {
    using value_type = T;
    using vector = typename vector_of<T, W>::type;
    vector data;

    integer_batch() = default;
    CROTON_INLINE explicit integer_batch(T v) : data(vector{} + v) {}
    CROTON_INLINE explicit integer_batch(vector v) : data(v) {}
    CROTON_INLINE static integer_batch load(const void* p) {
        integer_batch b;
        std::memcpy(&b.data, p, sizeof b.data);
        return b;
    }
    CROTON_INLINE void store(void* p) const { std::memcpy(p, &data, sizeof data); }
};

/// `N` integers: a register, a part of one, or several.
template <class T, int N, class A> struct integers {
    static constexpr std::size_t most = static_cast<std::size_t>(register_bytes<A>) / sizeof(T);
    static constexpr std::size_t width = std::size_t{N} < most ? std::size_t{N} : most;
    static constexpr std::size_t parts = N / width;
    using batch = integer_batch<T, width>;
    batch part[parts];

    CROTON_INLINE static integers load(const T* p) {
        integers v;
        for (std::size_t i = 0; i < parts; ++i) v.part[i] = batch::load(p + i * width);
        return v;
    }
    CROTON_INLINE void store(T* p) const {
        for (std::size_t i = 0; i < parts; ++i) part[i].store(p + i * width);
    }
    CROTON_INLINE static integers all(T x) {
        integers v;
        for (std::size_t i = 0; i < parts; ++i) v.part[i] = batch(x);
        return v;
    }
};

/// `N` truth values in lanes of signed integers: 0 or 1, as bools lie in memory.
template <class I, int N, class A> struct flags : integers<I, N, A> {};

namespace detail {

template <class R, class F, class First, class... More> CROTON_INLINE R each_part(F f, const First& first, const More&... more) {
    R result;
    for (std::size_t i = 0; i < R::parts; ++i) result.part[i] = typename R::batch((typename R::batch::vector)f(first.part[i].data, more.part[i].data...));
    return result;
}
template <class T, int N, class A, class F, class... More> CROTON_INLINE integers<T, N, A> each_integer(F f, const integers<T, N, A>& first, const More&... more) {
    T lanes[1 + sizeof...(More)][N];
    std::size_t row = 1;
    first.store(lanes[0]);
    (more.store(lanes[row++]), ...);
    const auto at = [&]<std::size_t... I>(std::size_t i, std::index_sequence<I...>) { return f(lanes[I][i]...); };
    for (std::size_t i = 0; i < std::size_t{N}; ++i) lanes[0][i] = at(i, std::make_index_sequence<1 + sizeof...(More)>());
    return integers<T, N, A>::load(lanes[0]);
}
template <class T> using flag_of = signed_of<sizeof(T)>;

}  // namespace detail

/// The lanes as numbers of another type, as static_cast has it.
template <class T, class U, int N, class A> CROTON_INLINE integers<T, N, A> resized(const integers<U, N, A>& v) {
    using to = integers<T, N, A>;
    if constexpr (to::parts == integers<U, N, A>::parts) {
        to result;
        for (std::size_t i = 0; i < to::parts; ++i) result.part[i].data = vector_cast<T, U, to::width>(v.part[i].data);
        return result;
    } else if constexpr (to::parts > integers<U, N, A>::parts && to::width * sizeof(U) >= 4) {
        // Part by part: through memory a register would wait for what the parts of another one have written.
        constexpr std::size_t each = to::parts / integers<U, N, A>::parts;
        to result;
        const auto of_part = [&]<std::size_t... I>(const auto& part, std::size_t first, std::index_sequence<I...>) CROTON_INLINED {
            ((result.part[first + I].data = vector_cast_cut<I * to::width, T, U, to::width>(part)), ...);
        };
        for (std::size_t i = 0; i < integers<U, N, A>::parts; ++i) of_part(v.part[i].data, i * each, std::make_index_sequence<each>());
        return result;
    } else if constexpr (integers<U, N, A>::parts == 2 * to::parts && integers<U, N, A>::width * sizeof(T) >= 4) {
        constexpr std::size_t width = integers<U, N, A>::width;
        to result;
        for (std::size_t i = 0; i < to::parts; ++i)
            result.part[i].data = vector_cast_joined<T, U, width>(v.part[2 * i].data, v.part[2 * i + 1].data);
        return result;
    } else {
        U from[N];
        T lanes[N];
        v.store(from);
        for (int i = 0; i < N; ++i) lanes[i] = static_cast<T>(from[i]);
        return to::load(lanes);
    }
}
template <class J, class I, int N, class A> CROTON_INLINE flags<J, N, A> flags_cast(const flags<I, N, A>& v) {
    if constexpr (std::is_same_v<I, J>) return v;
    else return {resized<J, I, N, A>(v)};
}

/// @name Arithmetic, which wraps around
/// @{
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator+(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    using V = typename vector_of<std::make_unsigned_t<T>, integers<T, N, A>::width>::type;
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return (V)x + (V)y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator-(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    using V = typename vector_of<std::make_unsigned_t<T>, integers<T, N, A>::width>::type;
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return (V)x - (V)y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator*(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    using V = typename vector_of<std::make_unsigned_t<T>, integers<T, N, A>::width>::type;
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return (V)x * (V)y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator/(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>(
        [](const auto& x, const auto& y) CROTON_INLINED { return vector_quotient<rounding_of_quotient::to_zero, A, T, integers<T, N, A>::width>(x, y); }, a, b);
}
/// The whole number below a / b, 0 by 0.
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> floored(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>(
        [](const auto& x, const auto& y) CROTON_INLINED { return vector_quotient<rounding_of_quotient::down, A, T, integers<T, N, A>::width>(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator-(const integers<T, N, A>& a) { return integers<T, N, A>::all(T(0)) - a; }
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator+(const integers<T, N, A>& a) { return a; }
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> abs(const integers<T, N, A>& a) {
    if constexpr (std::is_unsigned_v<T>) return a;
    else return maximum(a, -a);
}
/// @}

/// @name Comparisons
/// @{
template <class T, int N, class A> CROTON_INLINE flags<detail::flag_of<T>, N, A> operator==(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<flags<detail::flag_of<T>, N, A>>([](auto x, auto y) { return -(x == y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE flags<detail::flag_of<T>, N, A> operator!=(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<flags<detail::flag_of<T>, N, A>>([](auto x, auto y) { return -(x != y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE flags<detail::flag_of<T>, N, A> operator<(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<flags<detail::flag_of<T>, N, A>>([](auto x, auto y) { return -(x < y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE flags<detail::flag_of<T>, N, A> operator<=(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<flags<detail::flag_of<T>, N, A>>([](auto x, auto y) { return -(x <= y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE flags<detail::flag_of<T>, N, A> operator>(const integers<T, N, A>& a, const integers<T, N, A>& b) { return b < a; }
template <class T, int N, class A> CROTON_INLINE flags<detail::flag_of<T>, N, A> operator>=(const integers<T, N, A>& a, const integers<T, N, A>& b) { return b <= a; }
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> maximum(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return x > y ? x : y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> minimum(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return x < y ? x : y; }, a, b);
}
/// @}

/// @name Bits
/// @{
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator&(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return x & y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator|(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return x | y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator^(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return x ^ y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> operator~(const integers<T, N, A>& a) {
    return detail::each_part<integers<T, N, A>>([](auto x) { return ~x; }, a);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> shifted_left(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return vector_shifted_left<T, integers<T, N, A>::width>(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> shifted_right(const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return detail::each_part<integers<T, N, A>>([](auto x, auto y) { return vector_shifted_right<T, integers<T, N, A>::width>(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> counted_bits(const integers<T, N, A>& a) {
    return detail::each_part<integers<T, N, A>>([](auto x) { return vector_counted_bits<T, integers<T, N, A>::width>(x); }, a);
}
/// @}

/// @name Truth values
/// @{
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator&&(const flags<I, N, A>& a, const flags<J, N, A>& b) {
    return detail::each_part<flags<I, N, A>>([](auto x, auto y) { return x & y; }, a, flags_cast<I>(b));
}
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator||(const flags<I, N, A>& a, const flags<J, N, A>& b) {
    return detail::each_part<flags<I, N, A>>([](auto x, auto y) { return x | y; }, a, flags_cast<I>(b));
}
template <class I, int N, class A> CROTON_INLINE flags<I, N, A> operator!(const flags<I, N, A>& a) {
    return detail::each_part<flags<I, N, A>>([](auto x) { return x ^ I(1); }, a);
}
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator!=(const flags<I, N, A>& a, const flags<J, N, A>& b) {
    return detail::each_part<flags<I, N, A>>([](auto x, auto y) { return x ^ y; }, a, flags_cast<I>(b));
}
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator==(const flags<I, N, A>& a, const flags<J, N, A>& b) { return !(a != b); }
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator<(const flags<I, N, A>& a, const flags<J, N, A>& b) { return !a && b; }
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator<=(const flags<I, N, A>& a, const flags<J, N, A>& b) { return !a || b; }
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator>(const flags<I, N, A>& a, const flags<J, N, A>& b) { return a && !b; }
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> operator>=(const flags<I, N, A>& a, const flags<J, N, A>& b) { return a || !b; }
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> maximum(const flags<I, N, A>& a, const flags<J, N, A>& b) { return a || b; }
template <class I, class J, int N, class A> CROTON_INLINE flags<I, N, A> minimum(const flags<I, N, A>& a, const flags<J, N, A>& b) { return a && b; }

template <class I, class T, int N, class A>
CROTON_INLINE integers<T, N, A> select(const flags<I, N, A>& condition, const integers<T, N, A>& a, const integers<T, N, A>& b) {
    using V = typename vector_of<detail::flag_of<T>, integers<T, N, A>::width>::type;
    return detail::each_part<integers<T, N, A>>([](auto c, auto x, auto y) { return (-c & (V)x) | (~-c & (V)y); }, flags_cast<detail::flag_of<T>>(condition), a, b);
}
template <class I, class J, class K, int N, class A>
CROTON_INLINE flags<J, N, A> select(const flags<I, N, A>& condition, const flags<J, N, A>& a, const flags<K, N, A>& b) {
    return detail::each_part<flags<J, N, A>>([](auto c, auto x, auto y) { return (c & x) | (~c & y); }, flags_cast<J>(condition), a, flags_cast<J>(b));
}
/// @}

/// Combines the lanes.
template <class Reduction, class T, int N, class A> CROTON_INLINE T fold(const integers<T, N, A>& v) {
    T lanes[N];
    v.store(lanes);
    for (int n = N / 2; n > 0; n /= 2)
        for (int i = 0; i < n; ++i) lanes[i] = Reduction::combine(lanes[i], lanes[i + n]);
    return lanes[0];
}
template <class Reduction, class I, int N, class A> CROTON_INLINE bool fold(const flags<I, N, A>& v) {
    I lanes[N];
    v.store(lanes);
    bool result = lanes[0] != 0;
    for (int i = 1; i < N; ++i) result = Reduction::combine(result, lanes[i] != 0);
    return result;
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
