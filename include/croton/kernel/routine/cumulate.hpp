// SPDX-License-Identifier: MIT
// What is cumulated along an axis: element after element changes a state, and leaves what the result is there.
#ifndef CROTON_KERNEL_ROUTINE_CUMULATE_HPP
#define CROTON_KERNEL_ROUTINE_CUMULATE_HPP

#include <cmath>
#include <limits>
#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/kernel/routine.hpp>

namespace croton::inline v0_1::kernel {

/// From the last element to the first.
inline constexpr std::int64_t cumulate_reversed = 1;
/// The result is the state before the element.
inline constexpr std::int64_t cumulate_exclusive = 2;

/// `Rule` has
///   start<V>(exclusive)       the state before the first element
///   advance(state, x...)      the state behind an element, of numbers or, where `in_lanes`, of compilers' vectors of them
/// Integers are unsigned where the rule wraps around.
template <class Rule> struct cumulate {
    static constexpr std::string_view name = Rule::name;
    static constexpr int arguments = Rule::arguments;
    static constexpr std::string_view attribute[2] = {"reversed"sv, Rule::always_exclusive ? ""sv : "exclusive"sv};
    static std::int64_t operations(std::int64_t count, std::int64_t) { return count * Rule::operations; }

    template <class T> struct number {
        using type = T;
    };
    template <class T>
        requires std::is_integral_v<T>
    struct number<T> {
        using type = std::make_unsigned_t<T>;
    };
    template <class T> using wrapped_t = typename number<T>::type;
    template <class T> using number_t = std::conditional_t<Rule::wraps, wrapped_t<T>, T>;

    template <class T, class... In> CROTON_HD static void row(std::int64_t attributes, vector<T> y, vector<const In>... x) {
        const bool reversed = (attributes & cumulate_reversed) != 0, exclusive = (attributes & cumulate_exclusive) != 0;
        using V = number_t<T>;
        V state = Rule::template start<V>(exclusive);
        for (std::int64_t k = 0; k < y.size; ++k) {
            const std::int64_t i = reversed ? y.size - 1 - k : k;
            if (exclusive) y.data[i * y.stride] = static_cast<T>(state);
            Rule::advance(state, static_cast<V>(static_cast<T>(x.data[i * x.stride]))...);
            if (!exclusive) y.data[i * y.stride] = static_cast<T>(state);
        }
    }
};

namespace cumulated {

struct sum {
    static constexpr std::string_view name = "cumsum"sv;
    static constexpr int arguments = 1, operations = 1;
    static constexpr bool in_lanes = true, always_exclusive = false, wraps = true;
    // -0 + x is x for every x.
    template <class V> CROTON_HD static constexpr V start(bool exclusive) { return exclusive || !std::is_floating_point_v<V> ? V(0) : -V(0); }
    template <class V> CROTON_HD static constexpr void advance(V& state, const V& x) { state = state + x; }
};

struct product {
    static constexpr std::string_view name = "cumprod"sv;
    static constexpr int arguments = 1, operations = 1;
    static constexpr bool in_lanes = true, always_exclusive = false, wraps = true;
    template <class V> CROTON_HD static constexpr V start(bool) { return V(1); }
    template <class V> CROTON_HD static constexpr void advance(V& state, const V& x) { state = state * x; }
};

/// log(e^state + e^x), by the larger of the two.
struct log_sum {
    static constexpr std::string_view name = "logcumsumexp"sv;
    static constexpr int arguments = 1, operations = 4;
    static constexpr bool in_lanes = false, always_exclusive = false, wraps = true;
    template <class V> CROTON_HD static constexpr V start(bool) { return -static_cast<V>(__builtin_huge_val()); }
    template <class V> CROTON_HD static void advance(V& state, const V& x) {
        using std::exp;
        using std::log1p;
        const V high = state > x || state != state ? state : x, low = state > x ? x : state;
        // Of two equal infinities there is no difference, and the sum is that infinity.
        state = low == high && high - high != V(0) ? high : high + log1p(exp(low - high));
    }
};

/// The number that every other replaces.
template <class V, bool Largest>
inline constexpr V first_extreme = std::is_floating_point_v<V> ? static_cast<V>(Largest ? -__builtin_huge_val() : __builtin_huge_val())
                                   : Largest                   ? std::numeric_limits<V>::lowest()
                                                               : std::numeric_limits<V>::max();
template <bool Largest, class V> CROTON_HD constexpr V further(const V& state, const V& x) {
    // Without a branch: what is larger than all before it comes as it pleases.
    const bool takes = static_cast<bool>(static_cast<int>(Largest ? x > state : x < state) | static_cast<int>(x != x));
    return takes ? x : state;
}

/// The largest, or the smallest; a NaN stays.
template <bool Largest> struct extreme {
    static constexpr std::string_view name = Largest ? "cummax"sv : "cummin"sv;
    static constexpr int arguments = 1, operations = 1;
    static constexpr bool in_lanes = true, always_exclusive = false, wraps = false;
    template <class V> CROTON_HD static constexpr V start(bool) { return first_extreme<V, Largest>; }
    template <class V> CROTON_HD static constexpr void advance(V& state, const V& x) { state = further<Largest>(state, x); }
};
using maximum = extreme<true>;
using minimum = extreme<false>;

/// a state + c: sums of c, each weighted by the a between it and where the sum is taken. What the derivatives of the others, and
/// its own, are made of.
struct weighted_sum {
    static constexpr std::string_view name = "weighted_cumsum"sv;
    static constexpr int arguments = 2, operations = 2;
    static constexpr bool in_lanes = true, always_exclusive = true, wraps = true;
    template <class V> CROTON_HD static constexpr V start(bool) { return V(0); }
    template <class V> CROTON_HD static constexpr void advance(V& state, const V& a, const V& c) { state = a * state + c; }
};

}  // namespace cumulated

}  // namespace croton::inline v0_1::kernel

#endif
