// SPDX-License-Identifier: MIT
// The operators that round, divide with a rest, and take numbers apart.
#ifndef CROTON_GRAPH_ROUNDING_HPP
#define CROTON_GRAPH_ROUNDING_HPP

#include <cmath>
#include <string_view>

#include <croton/core/literals.hpp>
#include <croton/graph/operators.hpp>
#include <croton/kernel/rest.hpp>

namespace croton::inline v0_1 {

namespace op {

/// What rounds has no slope: its cotangent is 0.
struct rounding : unary<typing::floating> {
    template <class N> static constexpr cotangents1<N> pull(N g, N, N) { return {g * 0}; }
};

struct floor : rounding {
    static constexpr std::string_view name = "floor"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::floor;
        return floor(x);
    }
};

struct ceil : rounding {
    static constexpr std::string_view name = "ceil"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::ceil;
        return ceil(x);
    }
};

struct trunc : rounding {
    static constexpr std::string_view name = "trunc"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::trunc;
        return trunc(x);
    }
};

/// To the nearest whole number, from halfway to the even one.
struct round : rounding {
    static constexpr std::string_view name = "round"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::rint;
        return rint(x);
    }
};

/// The rest of a / b, with the sign of a. Of integers by 0 it is 0.
struct fmod : binary<typing::numeric> {
    static constexpr std::string_view name = "fmod"sv;
    static constexpr double low = 0.25, high = 4;
    template <class V> CROTON_INLINE CROTON_HD static V value(V a, V b) { return kernel::truncated_rest(a, b); }
    template <class N> static constexpr cotangents2<N> pull(N g, N y, N a, N b) { return {g, g * made<round>((y - a) / b)}; }
};

/// The rest of a / b, with the sign of b. Of integers by 0 it is 0.
struct remainder : binary<typing::numeric> {
    static constexpr std::string_view name = "remainder"sv, sign = "%"sv;
    static constexpr double low = 0.25, high = 4;
    template <class V> CROTON_INLINE CROTON_HD static V value(V a, V b) { return kernel::floored_rest(a, b); }
    // The rest is b only where b is infinite, or so large beside a that it was rounded.
    template <class N> static constexpr cotangents2<N> pull(N g, N y, N a, N b) { return {g, g * where_of(y == b, b.literal(1), made<round>((y - a) / b))}; }
};

/// The largest whole number that is not above a / b. Of integers by 0 it is 0.
struct floor_divide : binary<typing::numeric> {
    static constexpr std::string_view name = "floor_divide"sv;
    static constexpr double low = 0.25, high = 4;
    template <class V> CROTON_INLINE CROTON_HD static V value(V a, V b) { return kernel::floored_quotient(a, b); }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N, N) { return {g * 0, g * 0}; }
};

/// The size of a with the sign of b; the cotangent of a at 0 is 0.
struct copysign : binary<typing::floating> {
    static constexpr std::string_view name = "copysign"sv;
    template <class V> CROTON_HD static V value(V a, V b) {
        using std::copysign;
        return copysign(a, b);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N y, N a, N) { return {g * (sign_of(a) * sign_of(y)), g * 0}; }
};

/// The step from 0 to 1: at 0 it is h. Only h has a slope, there.
struct heaviside : binary<typing::floating> {
    static constexpr std::string_view name = "heaviside"sv;
    template <class V> CROTON_HD static V value(V x, V h) {
        using kernel::select;
        const V zero = kernel::constant<V>(0);
        return select(x == zero, h, select(x < zero, zero, select(x > zero, kernel::constant<V>(1), x)));
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N x, N) { return {g * 0, where_of(x == 0, g, g * 0)}; }
};

/// The number next to a, towards b.
struct nextafter : binary<typing::floating> {
    static constexpr std::string_view name = "nextafter"sv;
    template <class V> CROTON_HD static V value(V a, V b) {
        using std::nextafter;
        return nextafter(a, b);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N, N) { return {g, g * 0}; }
};

/// a b + c, rounded once.
struct fma : ternary<typing::floating> {
    static constexpr std::string_view name = "fma"sv;
    template <class V> CROTON_HD static V value(V a, V b, V c) {
        using std::fma;
        return fma(a, b, c);
    }
    template <class N> static constexpr cotangents3<N> pull(N g, N, N a, N b, N) { return {g * b, g * a, g}; }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
