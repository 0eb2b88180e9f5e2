// SPDX-License-Identifier: MIT
// The operators that are exponentials, logarithms, roots and powers, and what is made of them.
#ifndef CROTON_GRAPH_ELEMENTARY_HPP
#define CROTON_GRAPH_ELEMENTARY_HPP

#include <cmath>
#include <string_view>
#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/graph/operators.hpp>
#include <croton/kernel/normal.hpp>
#include <croton/kernel/root.hpp>

namespace croton::inline v0_1 {

namespace op {

struct exp : unary<typing::floating> {
    static constexpr std::string_view name = "exp"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::exp;
        return exp(x);
    }
    static constexpr double fold(double x, double) { return x == 0 ? 1 : finite::unknown; }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * y}; }
};

struct exp2 : unary<typing::floating> {
    static constexpr std::string_view name = "exp2"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::exp2;
        return exp2(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * y * 0.6931471805599453}; }
};

struct expm1 : unary<typing::floating> {
    static constexpr std::string_view name = "expm1"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::expm1;
        return expm1(x);
    }
    static constexpr double fold(double x, double) { return x == 0 ? 0 : finite::unknown; }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * (y + 1)}; }
};

struct log : unary<typing::floating> {
    static constexpr std::string_view name = "log"sv;
    static constexpr double low = 0.25, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::log;
        return log(x);
    }
    static constexpr double fold(double x, double) { return x == 1 ? 0 : finite::unknown; }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / x}; }
};

struct log2 : unary<typing::floating> {
    static constexpr std::string_view name = "log2"sv;
    static constexpr double low = 0.25, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::log2;
        return log2(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / x * 1.4426950408889634}; }
};

struct log10 : unary<typing::floating> {
    static constexpr std::string_view name = "log10"sv;
    static constexpr double low = 0.25, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::log10;
        return log10(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / x * 0.4342944819032518}; }
};

struct log1p : unary<typing::floating> {
    static constexpr std::string_view name = "log1p"sv;
    static constexpr double low = -0.75, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::log1p;
        return log1p(x);
    }
    static constexpr double fold(double x, double) { return x == 0 ? 0 : finite::unknown; }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / (x + 1)}; }
};

struct sqrt : unary<typing::floating> {
    static constexpr std::string_view name = "sqrt"sv;
    static constexpr double low = 0.25, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::sqrt;
        if constexpr (std::is_floating_point_v<V>) return kernel::root(x);
        else return sqrt(x);
    }
    static constexpr double fold(double x, double) { return x == 0 || x == 1 ? x : finite::unknown; }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * 0.5 / y}; }
};

/// The cube root, of negative numbers too.
struct cbrt : unary<typing::floating> {
    static constexpr std::string_view name = "cbrt"sv;
    static constexpr double low = 0.25, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::cbrt;
        return cbrt(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N x) { return {g / sloped(sqr_of(y) * 3, x, 2 / y)}; }
};

/// x^p. At x = 0 the cotangent of p is 0 (and not 0 * log 0), below it too; at p = 0 that of x is 0, also at x = 0. A power that is 0 wins against exponents and logarithms that
/// are infinite.
struct power : binary<typing::floating> {
    static constexpr std::string_view name = "pow"sv;
    static constexpr double low = 0.25, high = 3;
    template <class V> CROTON_HD static V value(V x, V p) {
        using std::pow;
        return pow(x, p);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N y, N x, N p) {
        const N one = x.literal(1), zero = x.literal(0), nonzero = where_of(x == 0, one, x), base = where_of(p == 0, nonzero, x);
        const N first = pow_of(base, p - 1), second = pow_of(where_of(p == 1, nonzero, base), p - 2), logarithm = log_of(where_of(x <= 0, one, x));
        const auto by_power = [&](N power, N factor) { return product_at_infinity(p, power, factor); };
        const N mixed = where_of(x <= 0, zero, by_power(first, 1 + p * logarithm));
        return {g * sloped(by_power(first, p), x, by_power(second, p * (p - 1)), p, mixed),
                g * sloped(where_of(x <= 0, zero, by_power(y, logarithm)), x, mixed, p, where_of(x <= 0, zero, by_power(y, sqr_of(logarithm))))};
    }
};

struct tanh : unary<typing::floating> {
    static constexpr std::string_view name = "tanh"sv;
    static constexpr double low = -3, high = 3;
    template <class V> CROTON_HD static V value(V x) {
        using std::tanh;
        return tanh(x);
    }
    static constexpr double fold(double x, double) { return x == 0 ? 0 : finite::unknown; }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * (1 - sqr_of(y))}; }
};

/// 1 / (1 + e^-x), without overflow and with full relative accuracy at both ends.
struct sigmoid : unary<typing::floating> {
    static constexpr std::string_view name = "sigmoid"sv;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::select;
        using std::abs;
        using std::exp;
        const V z = exp(-abs(x));
        return select(x < kernel::constant<V>(0), z, kernel::constant<V>(1)) / (kernel::constant<V>(1) + z);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * y * (1 - y)}; }
};

/// log(1 + e^x), without overflow.
struct softplus : unary<typing::floating> {
    static constexpr std::string_view name = "softplus"sv;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::select;
        using std::abs;
        using std::exp;
        using std::log1p;
        return select(x > kernel::constant<V>(0), x, select(x < kernel::constant<V>(0), kernel::constant<V>(0), x)) + log1p(exp(-abs(x)));
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * sigmoid_of(x)}; }
};

/// 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.
struct erf : unary<typing::floating> {
    static constexpr std::string_view name = "erf"sv;
    static constexpr double low = -3, high = 3;
    template <class V> CROTON_HD static V value(V x) {
        using std::erf;
        return erf(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N squared = sqr_of(x), bell = exp_of(-squared);
        return {g * sloped(bell, x, bell * where_below(squared, far_squared, x) * -2) * 1.1283791670955126};
    }
};

/// The share of the normal distribution below x, with all digits below 0: (1 + erf(x / sqrt(2))) / 2.
struct ndtr : unary<typing::floating> {
    static constexpr std::string_view name = "ndtr"sv;
    static constexpr double density = 0.3989422804014327, log_root = 0.9189385332046727;  // at 0: 1 / sqrt(2 pi), and the logarithm of sqrt(2 pi)
    template <class V> CROTON_HD static V value(V x) {
        using kernel::normal_cdf;
        return normal_cdf(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N squared = sqr_of(x), bell = exp_of(squared * -0.5);
        return {g * sloped(bell, x, -(bell * where_below(squared, far_squared, x))) * density};
    }
};

/// x times the share of the normal distribution below x: x (1 + erf(x / sqrt(2))) / 2, with all digits below 0.
/// Hendrycks and Gimpel, Gaussian Error Linear Units, 2016, section 2.
struct gelu : unary<typing::floating> {
    static constexpr std::string_view name = "gelu"sv;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::normal_cdf;
        return x * normal_cdf(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N squared = sqr_of(x), bell = exp_of(squared * -0.5 - ndtr::log_root), below = ndtr_of(x);
        return {g * sloped(where_of(squared >= far_squared, below, below + x * bell), x, bell * where_below(squared, far_squared, 2 - squared))};
    }
};

/// The approximation of gelu in the same paper: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, as x sigmoid(2 u) with all
/// digits below 0. It is up to 5e-4 away from gelu.
struct gelu_tanh : unary<typing::floating> {
    static constexpr std::string_view name = "gelu_tanh"sv;
    static constexpr bool ends_products = true;
    static constexpr double linear = 1.5957691216057308, cubic = linear * 0.044715;  // 2 sqrt(2 / pi)
    template <class V> CROTON_HD static V value(V x) {
        return x * sigmoid::value(x * (kernel::constant<V>(linear) + kernel::constant<V>(cubic) * (x * x)));
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N x) {
        const N squared = sqr_of(x), s = sigmoid_of(x * (squared * cubic + linear)), inner = squared * (3 * cubic) + linear, rest = 1 - s;
        const N second = 2 * s * rest * inner + y * rest * ((1 - 2 * s) * sqr_of(inner) + x * (6 * cubic));
        return {g * sloped(where_of(squared >= far_squared, s, s + y * rest * inner), x, where_below(squared, far_squared, second))};
    }
};

/// log(1 - e^x) for x <= 0: by expm1 near 0 and by log1p away from it.
struct log1mexp : unary<typing::floating> {
    static constexpr std::string_view name = "log1mexp"sv;
    static constexpr double low = -6, high = -0.25;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::select;
        using std::exp;
        using std::expm1;
        using std::log;
        using std::log1p;
        return select(x < kernel::constant<V>(-0.6931471805599453), log1p(-exp(x)), log(-expm1(x)));
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N e = exp_of(-x);
        return {g / sloped(1 - e, x, where_below(e, infinity, e))};
    }
};

/// log(e^a + e^b), without overflow; infinities behave as in NumPy.
struct logaddexp : binary<typing::floating> {
    static constexpr std::string_view name = "logaddexp"sv;
    template <class V> CROTON_HD static V value(V a, V b) {
        using kernel::select;
        using std::abs;
        using std::exp;
        using std::log1p;
        // a == b also covers two equal infinities, whose difference is NaN.
        return select(a == b, a + kernel::constant<V>(0.6931471805599453), select(a > b, a, select(b > a, b, a + b)) + log1p(exp(-abs(a - b))));
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N a, N b) {
        return {g * sigmoid_of(a - b), g * sigmoid_of(b - a)};
    }
};

/// a log b, and 0 where a is 0 and b is a number: also where b is 0. Derivatives take b for 1 where both are 0.
struct xlogy : binary<typing::floating> {
    static constexpr std::string_view name = "xlogy"sv;
    static constexpr double low = 0.25, high = 4;
    template <class V> CROTON_HD static V value(V a, V b) {
        using kernel::select;
        using std::log;
        // b - b would not do for an infinite b.
        return select(a == kernel::constant<V>(0), select(b == b, a, b), a * log(b));
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N a, N b) {
        const N base = where_of((a == 0) & (b == 0), b * 0 + 1, b);
        return {g * log_of(base), g * (a / base)};
    }
};

/// a log(1 + b), and 0 where a is 0 and b is a number: also where b is -1. Derivatives take b for 0 where a is 0 and b is -1.
struct xlog1py : binary<typing::floating> {
    static constexpr std::string_view name = "xlog1py"sv;
    static constexpr double low = 0.25, high = 4;
    template <class V> CROTON_HD static V value(V a, V b) {
        using kernel::select;
        using std::log1p;
        return select(a == kernel::constant<V>(0), select(b == b, a, b), a * log1p(b));
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N a, N b) {
        const N base = where_of((a == 0) & (b == -1), b * 0, b);
        return {g * log1p_of(base), g * (a / (base + 1))};
    }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
