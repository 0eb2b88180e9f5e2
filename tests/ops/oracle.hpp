// SPDX-License-Identifier: MIT
// What each operator of the table must give, by the formulas of NumPy in long double (integers: exactly).
#ifndef CROTON_TESTS_OPS_ORACLE_HPP
#define CROTON_TESTS_OPS_ORACLE_HPP

#include <cmath>
#include <limits>
#include <type_traits>

#include <croton/graph/table.hpp>

namespace oracle {

using namespace croton;
using real = long double;

/// The value of an operator, and how many units in the last place of the element type it may be off.
/// An operator that is added to the table without a formula here does not compile.
template <class Op> struct formula;

template <int Ulps> struct within { static constexpr int ulps = Ulps; };

template <class V> V larger(V a, V b) { return a != a ? a : b != b ? b : a > b ? a : b; }
template <class V> V smaller(V a, V b) { return a != a ? a : b != b ? b : a < b ? a : b; }

// clang-format off
template <> struct formula<op::copy> : within<0> { template <class V> static V value(V x) { return x; } };
template <> struct formula<op::add> : within<1> { template <class V> static V value(V a, V b) { return a + b; } };
template <> struct formula<op::subtract> : within<1> { template <class V> static V value(V a, V b) { return a - b; } };
template <> struct formula<op::multiply> : within<1> { template <class V> static V value(V a, V b) { return a * b; } };
template <> struct formula<op::divide> : within<1> { template <class V> static V value(V a, V b) { return a / b; } };
template <> struct formula<op::negative> : within<0> { template <class V> static V value(V x) { return -x; } };
template <> struct formula<op::absolute> : within<0> { template <class V> static V value(V x) { return std::signbit(static_cast<real>(x)) ? -x : x; } };
template <> struct formula<op::sign_> : within<0> { template <class V> static V value(V x) { return x > 0 ? V(1) : x < 0 ? V(-1) : x + V(0); } };
template <> struct formula<op::exp> : within<2> { static real value(real x) { return std::exp(x); } };
template <> struct formula<op::expm1> : within<3> { static real value(real x) { return std::expm1(x); } };
template <> struct formula<op::log> : within<2> { static real value(real x) { return std::log(x); } };
template <> struct formula<op::log1p> : within<3> { static real value(real x) { return std::log1p(x); } };
template <> struct formula<op::sqrt> : within<1> { static real value(real x) { return std::sqrt(x); } };
template <> struct formula<op::square> : within<1> { template <class V> static V value(V x) { return x * x; } };
template <> struct formula<op::power> : within<4> { static real value(real x, real p) { return std::pow(x, p); } };
template <> struct formula<op::tanh> : within<4> { static real value(real x) { return std::tanh(x); } };
template <> struct formula<op::sigmoid> : within<4> { static real value(real x) { return 1 / (1 + std::exp(-x)); } };
template <> struct formula<op::softplus> : within<4> {
    static real value(real x) { return larger(x, real(0)) + std::log1p(std::exp(-std::fabs(x))); }
};
template <> struct formula<op::relu> : within<0> { template <class V> static V value(V x) { return x < 0 ? V(0) : x; } };
template <> struct formula<op::erf> : within<2> { static real value(real x) { return std::erf(x); } };
template <> struct formula<op::ndtr> : within<4> { static real value(real x) { return std::erfc(-x / std::sqrt(real(2))) / 2; } };
template <> struct formula<op::gelu> : within<5> { static real value(real x) { return x * formula<op::ndtr>::value(x); } };
template <> struct formula<op::gelu_tanh> : within<4> {
    static real exponent(real x) { return 2 * std::sqrt(real(2) / std::acos(real(-1))) * (x + real(0.044715L) * x * x * x); }
    static real value(real x) { return x / (1 + std::exp(-exponent(x))); }
    // Far below 0 it is an exponential, whose relative error is the error of its argument.
    static real size(real x) { return x < 0 ? std::fabs(value(x)) * (1 - exponent(x)) : std::fabs(value(x)); }
};
template <> struct formula<op::log1mexp> : within<4> {
    static real value(real x) { return x > real(-0.5) ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)); }
};
template <> struct formula<op::logaddexp> : within<4> {
    // As NumPy's: where the two parts of the sum cancel, digits are lost.
    static real size(real a, real b) { return larger(std::fabs(a), std::fabs(b)); }
    static real value(real a, real b) {
        if (a == b) return a + std::log(real(2));
        return larger(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
    }
};
template <> struct formula<op::xlogy> : within<3> { static real value(real a, real b) { return a == 0 && b == b ? a : a * std::log(b); } };
template <> struct formula<op::xlog1py> : within<4> { static real value(real a, real b) { return a == 0 && b == b ? a : a * std::log1p(b); } };
template <> struct formula<op::maximum> : within<0> { template <class V> static V value(V a, V b) { return larger(a, b); } };
template <> struct formula<op::minimum> : within<0> { template <class V> static V value(V a, V b) { return smaller(a, b); } };
template <> struct formula<op::clip> : within<0> { template <class V> static V value(V x, V low, V high) { return smaller(larger(x, low), high); } };
template <> struct formula<op::where> : within<0> { template <class V> static V value(bool c, V a, V b) { return c ? a : b; } };
template <> struct formula<op::equal> : within<0> { template <class V> static bool value(V a, V b) { return a == b; } };
template <> struct formula<op::not_equal> : within<0> { template <class V> static bool value(V a, V b) { return a != b; } };
template <> struct formula<op::less> : within<0> { template <class V> static bool value(V a, V b) { return a < b; } };
template <> struct formula<op::less_equal> : within<0> { template <class V> static bool value(V a, V b) { return a <= b; } };
template <> struct formula<op::greater> : within<0> { template <class V> static bool value(V a, V b) { return a > b; } };
template <> struct formula<op::greater_equal> : within<0> { template <class V> static bool value(V a, V b) { return a >= b; } };
template <> struct formula<op::logical_and> : within<0> { static bool value(bool a, bool b) { return a && b; } };
template <> struct formula<op::logical_or> : within<0> { static bool value(bool a, bool b) { return a || b; } };
template <> struct formula<op::logical_not> : within<0> { static bool value(bool a) { return !a; } };
// clang-format on

/// The distance of two numbers in units in the last place of the wanted one; equal NaNs and infinities are at 0.
/// Where digits cancel by the definition of the operator, `size` is the size of what cancels.
template <class T> double distance_in_ulps(T got, real wanted, real size = 0) {
    if constexpr (!std::is_floating_point_v<T>) {
        return static_cast<real>(got) == wanted ? 0 : 1e30;
    } else {
        const T rounded = static_cast<T>(wanted);
        if (got == rounded || (got != got && rounded != rounded)) return 0;
        if (got != got || rounded != rounded) return 1e30;
        if (std::isinf(got) || std::isinf(rounded)) {
            // Beside the largest number, infinity is one step further.
            const T largest = std::numeric_limits<T>::max();
            return std::signbit(got) == std::signbit(rounded) &&
                           (std::fabs(got) > largest / 2 && std::fabs(rounded) > largest / 2)
                       ? 1
                       : 1e30;
        }
        int exponent = 0;
        std::frexp(std::isfinite(size) && size > std::fabs(wanted) ? size : static_cast<real>(rounded), &exponent);
        exponent = exponent < std::numeric_limits<T>::min_exponent ? std::numeric_limits<T>::min_exponent : exponent;
        const real ulp = std::ldexp(real(1), exponent - std::numeric_limits<T>::digits);
        return static_cast<double>(std::fabs(static_cast<real>(got) - wanted) / ulp);
    }
}

}  // namespace oracle

#endif
