// SPDX-License-Identifier: MIT
// The operators that compare, choose and combine truth values.
#ifndef CROTON_GRAPH_COMPARISONS_HPP
#define CROTON_GRAPH_COMPARISONS_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/operators.hpp>

namespace croton::inline v0_1 {

namespace op {

/// The larger of two numbers; NaN if either is. Where they are equal each gets half of the cotangent.
struct maximum : binary<typing::numeric> {
    static constexpr std::string_view name = "maximum"sv;
    static constexpr bool commutes = true, folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V a, V b) {
        using kernel::maximum;
        return maximum(a, b);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N a, N b) {
        return {where_of(a > b, g, where_of(a == b, g * 0.5, g * 0)), where_of(b > a, g, where_of(a == b, g * 0.5, g * 0))};
    }
};

/// The smaller of two numbers; NaN if either is. Where they are equal each gets half of the cotangent.
struct minimum : binary<typing::numeric> {
    static constexpr std::string_view name = "minimum"sv;
    static constexpr bool commutes = true, folds = true, is_cheap = true;
    template <class V> CROTON_INLINE CROTON_HD static constexpr V value(V a, V b) {
        using kernel::minimum;
        return minimum(a, b);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N a, N b) {
        return {where_of(a < b, g, where_of(a == b, g * 0.5, g * 0)), where_of(b < a, g, where_of(a == b, g * 0.5, g * 0))};
    }
};

/// x held between low and high; NaN if one of them is. The cotangent goes to whichever of the three the result is, to x at a bound.
struct clip : ternary<typing::numeric> {
    static constexpr std::string_view name = "clip"sv;
    template <class V> CROTON_HD static V value(V x, V lower, V upper) {
        using kernel::maximum;
        using kernel::minimum;
        return minimum(maximum(x, lower), upper);
    }
    template <class N> static constexpr cotangents3<N> pull(N g, N, N x, N lower, N upper) {
        return {where_of((x >= lower) & (x <= upper), g, g * 0), where_of((x < lower) & (lower <= upper), g, g * 0),
                where_of(x > upper, g, where_of(lower > upper, g, g * 0))};
    }
};

struct where : ternary<typing::selection> {
    static constexpr std::string_view name = "where"sv;
    template <class C, class V> CROTON_HD static V value(C condition, V a, V b) {
        using kernel::select;
        return select(condition, a, b);
    }
    template <class N> static constexpr cotangents3<N> pull(N g, N, N condition, N, N) {
        return {N(), where_of(condition, g, g * 0), where_of(condition, g * 0, g)};
    }
};

struct equal : binary<typing::comparison> {
    static constexpr std::string_view name = "equal"sv, sign = "=="sv;
    static constexpr bool commutes = true, folds = true;
    template <class V> CROTON_HD static constexpr auto value(V a, V b) { return a == b; }
};

struct not_equal : binary<typing::comparison> {
    static constexpr std::string_view name = "not_equal"sv, sign = "!="sv;
    static constexpr bool commutes = true, folds = true;
    template <class V> CROTON_HD static constexpr auto value(V a, V b) { return a != b; }
};

struct less : binary<typing::comparison> {
    static constexpr std::string_view name = "less"sv, sign = "<"sv;
    static constexpr bool folds = true;
    template <class V> CROTON_HD static constexpr auto value(V a, V b) { return a < b; }
};

struct less_equal : binary<typing::comparison> {
    static constexpr std::string_view name = "less_equal"sv, sign = "<="sv;
    static constexpr bool folds = true;
    template <class V> CROTON_HD static constexpr auto value(V a, V b) { return a <= b; }
};

struct greater : binary<typing::comparison> {
    static constexpr std::string_view name = "greater"sv, sign = ">"sv;
    static constexpr bool folds = true;
    template <class V> CROTON_HD static constexpr auto value(V a, V b) { return a > b; }
};

struct greater_equal : binary<typing::comparison> {
    static constexpr std::string_view name = "greater_equal"sv, sign = ">="sv;
    static constexpr bool folds = true;
    template <class V> CROTON_HD static constexpr auto value(V a, V b) { return a >= b; }
};

struct logical_and : binary<typing::logical> {
    static constexpr std::string_view name = "logical_and"sv, sign = "&"sv;
    static constexpr double low = 0, high = 1;
    static constexpr bool commutes = true;
    template <class A, class B> CROTON_HD static constexpr auto value(A a, B b) { return a && b; }
};

struct logical_or : binary<typing::logical> {
    static constexpr std::string_view name = "logical_or"sv, sign = "|"sv;
    static constexpr double low = 0, high = 1;
    static constexpr bool commutes = true;
    template <class A, class B> CROTON_HD static constexpr auto value(A a, B b) { return a || b; }
};

struct logical_xor : binary<typing::logical> {
    static constexpr std::string_view name = "logical_xor"sv, sign = "^"sv;
    static constexpr double low = 0, high = 1;
    static constexpr bool commutes = true;
    template <class A, class B> CROTON_HD static constexpr auto value(A a, B b) { return a != b; }
};

struct logical_not : unary<typing::logical> {
    static constexpr std::string_view name = "logical_not"sv, sign = "!"sv;
    static constexpr double low = 0, high = 1;
    template <class A> CROTON_HD static constexpr auto value(A a) { return !a; }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
