// SPDX-License-Identifier: MIT
// The reductions, as structs like those of the operators.
#ifndef CROTON_GRAPH_REDUCTIONS_HPP
#define CROTON_GRAPH_REDUCTIONS_HPP

#include <limits>
#include <string_view>
#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/graph/comparisons.hpp>
#include <croton/graph/elementary.hpp>

namespace croton::inline v0_1 {

/// The reductions: associative and commutative, with the value of the empty reduction.
namespace reduction {

// Constants, because device code may not call the functions.
template <class T> inline constexpr T lowest_number = std::numeric_limits<T>::lowest();
template <class T> inline constexpr T largest_number = std::numeric_limits<T>::max();

struct sum {
    static constexpr std::string_view name = "sum"sv;
    static constexpr bool logical = false;  // of bools
    static constexpr bool idempotent = false;  // combine(x, x) is x
    template <class T> CROTON_HD static constexpr T identity() { return T(0); }
    template <class V> CROTON_INLINE CROTON_HD static constexpr V combine(V a, V b) { return kernel::plus(a, b); }
};

struct prod {
    static constexpr std::string_view name = "prod"sv;
    static constexpr bool logical = false;  // of bools
    static constexpr bool idempotent = false;  // combine(x, x) is x
    template <class T> CROTON_HD static constexpr T identity() { return T(1); }
    template <class V> CROTON_INLINE CROTON_HD static constexpr V combine(V a, V b) { return kernel::times(a, b); }
};

struct max {
    static constexpr std::string_view name = "max"sv;
    static constexpr bool logical = false;  // of bools
    static constexpr bool idempotent = true;  // combine(x, x) is x
    template <class T> CROTON_HD static constexpr T identity() {
        if constexpr (std::is_floating_point_v<T>) return -static_cast<T>(__builtin_huge_val());
        else return lowest_number<T>;
    }
    template <class V> CROTON_INLINE CROTON_HD static V combine(V a, V b) { return op::maximum::value(a, b); }
};

struct min {
    static constexpr std::string_view name = "min"sv;
    static constexpr bool logical = false;  // of bools
    static constexpr bool idempotent = true;  // combine(x, x) is x
    template <class T> CROTON_HD static constexpr T identity() {
        if constexpr (std::is_floating_point_v<T>) return static_cast<T>(__builtin_huge_val());
        else return largest_number<T>;
    }
    template <class V> CROTON_INLINE CROTON_HD static V combine(V a, V b) { return op::minimum::value(a, b); }
};

struct all {
    static constexpr std::string_view name = "all"sv;
    static constexpr bool logical = true;  // of bools
    static constexpr bool idempotent = true;  // combine(x, x) is x
    template <class T> CROTON_HD static constexpr T identity() { return T(true); }
    template <class V> CROTON_INLINE CROTON_HD static constexpr V combine(V a, V b) { return a && b; }
};

struct any {
    static constexpr std::string_view name = "any"sv;
    static constexpr bool logical = true;  // of bools
    static constexpr bool idempotent = true;  // combine(x, x) is x
    template <class T> CROTON_HD static constexpr T identity() { return T(false); }
    template <class V> CROTON_INLINE CROTON_HD static constexpr V combine(V a, V b) { return a || b; }
};

}  // namespace reduction

}  // namespace croton::inline v0_1

#endif
