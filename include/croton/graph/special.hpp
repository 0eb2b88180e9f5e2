// SPDX-License-Identifier: MIT
// The operators that are special functions: of the error function, of the gamma function, and what is near them.
#ifndef CROTON_GRAPH_SPECIAL_HPP
#define CROTON_GRAPH_SPECIAL_HPP

#include <cmath>
#include <string_view>

#include <croton/core/literals.hpp>
#include <croton/graph/operators.hpp>
#include <croton/kernel/special.hpp>

namespace croton::inline v0_1 {

namespace op {

/// 1 - erf(x), with all digits far above 0.
struct erfc : unary<typing::floating> {
    static constexpr std::string_view name = "erfc"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::erfc;
        return erfc(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N squared = sqr_of(x), bell = exp_of(-squared);
        return {g * sloped(bell, x, bell * where_below(squared, far_squared, x) * -2) * -1.1283791670955126};
    }
};

/// The number whose erf is x; infinite at -1 and 1, NaN beyond.
struct erfinv : unary<typing::floating> {
    static constexpr std::string_view name = "erfinv"sv;
    static constexpr double low = -0.9, high = 0.9;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::inverse_erf;
        return inverse_erf(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N y, N) { return {g * exp_of(sqr_of(y)) * 0.8862269254527580}; }
};

/// The n-th derivative of digamma for whole numbers n; it has none for n.
struct polygamma : binary<typing::floating> {
    static constexpr std::string_view name = "polygamma"sv;
    static constexpr double low = 0.5, high = 4;
    template <class V> CROTON_HD static V value(V n, V x) {
        using kernel::polygamma;
        return polygamma(n, x);
    }
    template <class N> static constexpr cotangents2<N> pull(N g, N, N n, N x) { return {N(), g * made<op::polygamma>(n + 1, x)}; }
};

/// The derivative of lgamma.
struct digamma : unary<typing::floating> {
    static constexpr std::string_view name = "digamma"sv;
    static constexpr double low = 0.5, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::digamma;
        return digamma(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * made<polygamma>(x.literal(1), x)}; }
};

/// The logarithm of the size of the gamma function; infinite at 0 and at the negative whole numbers.
struct lgamma : unary<typing::floating> {
    static constexpr std::string_view name = "lgamma"sv;
    static constexpr double low = 0.5, high = 8;
    template <class V> CROTON_HD static V value(V x) {
        using std::lgamma;
        return lgamma(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g * made<digamma>(x)}; }
};

/// log(x / (1 - x)), the inverse of sigmoid.
struct logit : unary<typing::floating> {
    static constexpr std::string_view name = "logit"sv;
    static constexpr double low = 0.1, high = 0.9;
    template <class V> CROTON_HD static V value(V x) {
        using kernel::log_odds;
        return log_odds(x);
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) { return {g / sloped(x * (1 - x), x, 1 - 2 * x)}; }
};

/// x / (1 + |x|).
struct softsign : unary<typing::floating> {
    static constexpr std::string_view name = "softsign"sv;
    template <class V> CROTON_HD static V value(V x) {
        using std::abs;
        return x / (abs(x) + kernel::constant<V>(1));
    }
    template <class N> static constexpr cotangents1<N> pull(N g, N, N x) {
        const N d = made<absolute>(x) + 1, q = sqr_of(d);
        return {g / sloped(q, d, where_below(q, infinity, 2 * d))};
    }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
