// SPDX-License-Identifier: MIT
// Values and gradients at the ends of the number line, against long double formulas.
#ifndef CROTON_TESTS_REWRITE_STABLE_VALUES_HPP
#define CROTON_TESTS_REWRITE_STABLE_VALUES_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <croton/croton.hpp>

namespace stable_values {

using namespace croton;
using real = long double;

inline real sigmoid_at(real x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
inline real softplus_at(real x) { return std::max(x, real(0)) + std::log1p(std::exp(-std::fabs(x))); }
inline real log1mexp_at(real x) { return x > -0.6L ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)); }
inline real logaddexp_at(real x, real y) { return x == y ? x + std::log(real(2)) : std::max(x, y) + std::log1p(std::exp(-std::fabs(x - y))); }

template <class T> std::vector<T> points() {
    constexpr T inf = std::numeric_limits<T>::infinity();
    return {T(-1e4), -100, -50, -17, T(-1.5), T(-0.3), T(-1e-6), 0, T(1e-6), T(0.3), T(1.5), 17, 50, 88, 100, T(1e4), inf, -inf};
}

/// Whether `got` is `want` up to some units in the last place, or to what is lost where numbers get subnormal.
template <class T> bool close(T got, real want, real ulps, real absolute = 0) {
    if (std::isnan(want)) return std::isnan(got);
    const T rounded = static_cast<T>(want);
    if (std::isinf(rounded)) return got == rounded;
    const real slack = ulps * std::numeric_limits<T>::epsilon() * std::fabs(want) + 4 * std::numeric_limits<T>::min() + absolute;
    return std::fabs(static_cast<real>(got) - want) <= slack;
}

template <class T, class F> void expect(const std::string& what, const array<T, 1>& got, const std::vector<T>& at, F&& formula, real ulps = 16, real absolute = 0) {
    for (std::size_t i = 0; i < at.size(); ++i) {
        const real want = formula(static_cast<real>(at[i]));
        const T value = got(static_cast<std::int64_t>(i));
        CAPTURE(at[i]);
        CHECK_MESSAGE(close(value, want, ulps, absolute), what << ": " << value << " is not " << static_cast<double>(want));
    }
}

template <class T> array<T, 1> to_array(const std::vector<T>& v) {
    array<T, 1> a(static_cast<std::int64_t>(v.size()));
    for (std::size_t i = 0; i < v.size(); ++i) a(static_cast<std::int64_t>(i)) = v[i];
    return a;
}

}  // namespace stable_values

#endif
