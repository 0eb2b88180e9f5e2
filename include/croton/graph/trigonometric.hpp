// SPDX-License-Identifier: MIT
// The operators of angles: of the circle, and of the hyperbola.
#ifndef CROTON_GRAPH_TRIGONOMETRIC_HPP
#define CROTON_GRAPH_TRIGONOMETRIC_HPP

#include <cmath>
#include <string_view>

#include <croton/core/literals.hpp>
#include <croton/graph/elementary.hpp>
#include <croton/graph/operators.hpp>

namespace croton::inline v0_1 {

namespace op {

struct copysign;
struct cos;
struct cosh;

struct sin : unary<typing::floating> {
    static constexpr std::string_view name = "sin"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::sin;
        return sin(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * made<cos>(x)}; }
};

struct cos : unary<typing::floating> {
    static constexpr std::string_view name = "cos"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::cos;
        return cos(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {-(g * made<sin>(x))}; }
};

struct tan : unary<typing::floating> {
    static constexpr std::string_view name = "tan"sv;
    static constexpr double low = -1.25, high = 1.25;
    template <class V> CROTON_HD static V value(V x) {
        using std::tan;
        return tan(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * (1 + sqr_of(y))}; }
};

struct asin : unary<typing::floating> {
    static constexpr std::string_view name = "asin"sv;
    static constexpr double low = -0.9, high = 0.9;
    template <class V> CROTON_HD static V value(V x) {
        using std::asin;
        return asin(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / made<sqrt>(sloped((1 - x) * (1 + x), x, -2 * x))}; }
};

struct acos : unary<typing::floating> {
    static constexpr std::string_view name = "acos"sv;
    static constexpr double low = -0.9, high = 0.9;
    template <class V> CROTON_HD static V value(V x) {
        using std::acos;
        return acos(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {-(g / made<sqrt>(sloped((1 - x) * (1 + x), x, -2 * x)))}; }
};

struct atan : unary<typing::floating> {
    static constexpr std::string_view name = "atan"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::atan;
        return atan(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N q = 1 + sqr_of(x);
        return {g / sloped(q, x, where_below(q, infinity, 2 * x))};
    }
};

/// sqrt(a^2 + b^2), without overflow; infinite where one of them is, also beside NaN.
struct hypot : binary<typing::floating> {
    static constexpr std::string_view name = "hypot"sv;
    static constexpr bool commutes = true;
    template <class V> CROTON_HD static V value(V a, V b) {
        using std::hypot;
        return hypot(a, b);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N y, N a, N b) {
        const auto share = [&](N x) { return where_of(made<absolute>(x) == infinity, made<copysign>(x.literal(1), x), x / y); };
        const N u = share(a), v = share(b), mixed = -(u * v / y);
        return {g * sloped(u, a, sqr_of(v) / y, b, mixed), g * sloped(v, a, mixed, b, sqr_of(u) / y)};
    }
};

/// The angle of the point (x, y) from the positive x axis, from -pi to pi; of the signed zeros as C has it.
struct atan2 : binary<typing::floating> {
    static constexpr std::string_view name = "atan2"sv;
    static constexpr double low = 0.25, high = 4;
    template <class V> CROTON_HD static V value(V y, V x) {
        using std::atan2;
        return atan2(y, x);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N y, N x) {
        const N r = made<hypot>(y, x);
        const auto over_square = [&](N a) { return where_of(r == infinity, r.literal(0), a / r / r); };
        const N u = over_square(x), v = over_square(y), mixed = u * v * -2, difference = sqr_of(v) - sqr_of(u);
        return {g * sloped(u, y, mixed, x, difference), -(g * sloped(v, y, -difference, x, mixed))};
    }
};

struct sinh : unary<typing::floating> {
    static constexpr std::string_view name = "sinh"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::sinh;
        return sinh(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * made<cosh>(x)}; }
};

struct cosh : unary<typing::floating> {
    static constexpr std::string_view name = "cosh"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::cosh;
        return cosh(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * made<sinh>(x)}; }
};

struct asinh : unary<typing::floating> {
    static constexpr std::string_view name = "asinh"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::asinh;
        return asinh(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N r = made<hypot>(x, x.literal(1));
        return {g / sloped(r, x, where_below(r, infinity, x) / r)};
    }
};

struct acosh : unary<typing::floating> {
    static constexpr std::string_view name = "acosh"sv;
    static constexpr double low = 1.25, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::acosh;
        return acosh(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N r = made<sqrt>(x - 1) * made<sqrt>(x + 1);
        return {g / sloped(r, x, where_below(r, infinity, x) / r)};
    }
};

struct atanh : unary<typing::floating> {
    static constexpr std::string_view name = "atanh"sv;
    static constexpr double low = -0.9, high = 0.9;
    template <class V> CROTON_HD static V value(V x) {
        using std::atanh;
        return atanh(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / sloped((1 - x) * (1 + x), x, -2 * x)}; }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
