// SPDX-License-Identifier: MIT
// Registers of numbers that lie one or two apart, and what windows of images are made into there.
#ifndef CROTON_DEVICE_CPU_POOLING_LANES_HPP
#define CROTON_DEVICE_CPU_POOLING_LANES_HPP

#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/pooling.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Memory is read up to `end` and written up to `limit`: where a register reaches beyond what is asked for, what lies there is read for nothing, or is written
/// again by what comes later.
template <class T, class Arch> struct pooling_lanes {
    using V = typename lanes_of<T, register_bytes<Arch>()>::type;
    static constexpr std::int64_t width = sizeof(V) / sizeof(T);
    using number = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    typedef number vector_numbers __attribute__((vector_size(sizeof(V))));

    /// Where the next register of a row of `count` begins: the last one ends where the row does, and makes some once more.
    CROTON_INLINE static std::int64_t behind(std::int64_t at, std::int64_t count) { return at + width >= count ? count : std::min(at + width, count - width); }

    CROTON_INLINE static V load(const T* p) {
        V v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    CROTON_INLINE static void store(T* p, const V& v) { std::memcpy(p, &v, sizeof v); }
    CROTON_INLINE static V all(T v) { return V{} + v; }

    /// The first `n` numbers of a register, and zeros.
    CROTON_INLINE static V first(const V& v, std::int64_t n) {
        using I = vector_numbers;
        I at;
        for (int i = 0; i < width; ++i) at[i] = i;
        return at < I{} + static_cast<number>(n) ? v : V{};
    }

    static constexpr auto sequence = std::make_integer_sequence<int, static_cast<int>(width)>();

    /// Two registers of numbers from memory. Of registers of two halves the first one has both first halves, and the second one the others: what is made of pairs then stays in its
    /// half, for what crosses from one to the other takes processors several times as long.
    struct pairs {
        V low, high;
    };
#if CROTON_HAS_COMPUTED_SHUFFLES
    static constexpr int in_half = static_cast<int>(sizeof(V) == 32 ? width / 2 : width);
    template <int... I> CROTON_INLINE static V of_halves(const T* p, const T* q, std::integer_sequence<int, I...>) {
        typedef T half __attribute__((vector_size(sizeof(V) / 2)));
        half a, b;
        std::memcpy(&a, p, sizeof a);
        std::memcpy(&b, q, sizeof b);
        return __builtin_shufflevector(a, b, I...);
    }
    /// The halves that lie at `p` and at `behind`, and those beside them.
    CROTON_INLINE static pairs load_pairs(const T* p, const T* behind) {
        if constexpr (in_half < width) return {of_halves(p, behind, sequence), of_halves(p + in_half, behind + in_half, sequence)};
        else return {load(p), load(behind)};
    }
    /// What comes first or second in each pair.
    template <int Which, int... I> CROTON_INLINE static V each_second(const pairs& of, std::integer_sequence<int, I...>) {
        return __builtin_shufflevector(of.low, of.high, (I / in_half * in_half + (2 * (I % in_half) + Which) / in_half * static_cast<int>(width) + (2 * I + Which) % in_half)...);
    }
    template <int Half, int... I> CROTON_INLINE static V alternate_in_halves(const V& a, const V& b, std::integer_sequence<int, I...>) {
        return __builtin_shufflevector(a, b, (I / in_half * in_half + Half * in_half / 2 + I % in_half / 2 + I % 2 * static_cast<int>(width))...);
    }
    template <int Half, int... I> CROTON_INLINE static V join_halves(const V& a, const V& b, std::integer_sequence<int, I...>) {
        return __builtin_shufflevector(a, b, (I / in_half * static_cast<int>(width) + Half * in_half + I % in_half)...);
    }
    /// Two registers whose numbers come one after the other in memory.
    CROTON_INLINE static pairs alternate(const V& a, const V& b) {
        const V low = alternate_in_halves<0>(a, b, sequence), high = alternate_in_halves<1>(a, b, sequence);
        if constexpr (in_half < width) return {join_halves<0>(low, high, sequence), join_halves<1>(low, high, sequence)};
        else return {low, high};
    }
#else
    CROTON_INLINE static pairs load_pairs(const T* p, const T* behind) { return {load(p), load(behind)}; }
    template <int Which, int... I> CROTON_INLINE static V each_second(const pairs& of, std::integer_sequence<int, I...>) {
        V to;
        ((to[I] = 2 * I + Which < width ? of.low[(2 * I + Which) % width] : of.high[(2 * I + Which) % width]), ...);
        return to;
    }
    template <int Half, int... I> CROTON_INLINE static V alternate_half(const V& a, const V& b, std::integer_sequence<int, I...>) {
        V to;
        ((to[I] = I % 2 == 0 ? a[Half * width / 2 + I / 2] : b[Half * width / 2 + I / 2]), ...);
        return to;
    }
    CROTON_INLINE static pairs alternate(const V& a, const V& b) { return {alternate_half<0>(a, b, sequence), alternate_half<1>(a, b, sequence)}; }
#endif
    CROTON_INLINE static pairs load_pairs(const T* p) { return load_pairs(p, p + width); }

    /// `n` numbers that lie `Step` apart, or `step` where that is 0.
    template <int Step> CROTON_INLINE static V take(const T* p, std::int64_t n, std::int64_t step, const T* end) {
        if constexpr (Step == 1) {
            if (end - p >= width) return load(p);
        } else if constexpr (Step == 2) {
            if (end - p >= 2 * width) return each_second<0>(load_pairs(p), sequence);
        }
        const std::int64_t by = Step == 0 ? step : Step;
        V v{};
        for (std::int64_t i = 0; i < n; ++i) v[i] = p[i * by];
        return v;
    }
    /// `n` pairs: what comes first in each, and second.
    CROTON_INLINE static void take_pairs(const T* p, std::int64_t n, const T* end, V& first, V& second) {
        pairs of;
        if (2 * n <= width && end - p >= width) {
            of = load_pairs(p, p);
        } else if (end - p >= 2 * width) {
            of = load_pairs(p);
        } else {
            T both[2 * width] = {};
            std::copy_n(p, 2 * n, both);
            of = load_pairs(both);
        }
        first = each_second<0>(of, sequence);
        second = each_second<1>(of, sequence);
    }
    CROTON_INLINE static void put(T* p, std::int64_t n, const T* limit, const V& v) {
        if (limit - p >= width) return store(p, v);
        for (std::int64_t i = 0; i < n; ++i) p[i] = v[i];
    }
    CROTON_INLINE static void put_pairs(T* p, std::int64_t n, const T* limit, const V& first, const V& second) {
        const pairs made = alternate(first, second);
        if (2 * n <= width) return put(p, 2 * n, limit, made.low);
        if (limit - p >= 2 * width) {
            store(p, made.low);
            store(p + width, made.high);
            return;
        }
        T both[2 * width];
        store(both, made.low);
        store(both + width, made.high);
        std::copy_n(both, 2 * n, p);
    }
};

/// Where the second number is the larger one: of equal ones the first is, and a NaN is larger than all.
template <class V> CROTON_INLINE auto second_is_larger(const V& first, const V& second) { return (second > first) | (second != second); }
template <class V> CROTON_INLINE V larger_lanes(const V& first, const V& second) {
    const auto larger = second_is_larger(first, second);
    return larger ? second : first;
}

/// The largest elements of the windows of a register.
template <class T, class Arch> struct largest_lanes {
    using V = typename pooling_lanes<T, Arch>::V;
    V value;

    CROTON_INLINE explicit largest_lanes(T) : value(pooling_lanes<T, Arch>::all(kernel::lowest_of<T>)) {}
    CROTON_INLINE void add(const V& v, T) { value = larger_lanes(value, v); }
    CROTON_INLINE static V of_four(const V& a, const V& b, const V& c, const V& d) { return larger_lanes(larger_lanes(a, b), larger_lanes(c, d)); }
};

/// How far behind the first elements of the windows their largest ones lie, as numbers of the type: these are exact up to `most_offset`. Of windows that have no
/// elements it is negative.
template <class T, class Arch> struct place_lanes {
    static constexpr std::int64_t most_offset = std::int64_t{1} << 24;
    using V = typename pooling_lanes<T, Arch>::V;
    V value, most;

    CROTON_INLINE explicit place_lanes(T first) : value(pooling_lanes<T, Arch>::all(first)), most(pooling_lanes<T, Arch>::all(kernel::lowest_of<T>)) {}
    CROTON_INLINE void add(const V& v, T offset) {
        const auto larger = second_is_larger(most, v);
        value = larger ? pooling_lanes<T, Arch>::all(offset) : value;
        most = larger ? v : most;
    }
    CROTON_INLINE void put_places(std::int32_t* to) const {
        T numbers[pooling_lanes<T, Arch>::width];
        pooling_lanes<T, Arch>::store(numbers, value);
        for (int i = 0; i < pooling_lanes<T, Arch>::width; ++i) to[i] = static_cast<std::int32_t>(numbers[i]);
    }
};

template <class T, class Arch> struct sum_lanes {
    using V = typename pooling_lanes<T, Arch>::V;
    V value{};

    CROTON_INLINE explicit sum_lanes(T) {}
    CROTON_INLINE void add(const V& v, T) { value += v; }
    CROTON_INLINE static V of_four(const V& a, const V& b, const V& c, const V& d) { return (((a + b) + c) + d) * pooling_lanes<T, Arch>::all(T(0.25)); }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
