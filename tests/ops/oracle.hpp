// SPDX-License-Identifier: MIT
// What each operator of the table must give, by the formulas of NumPy in long double (integers: exactly).
#ifndef CROTON_TESTS_OPS_ORACLE_HPP
#define CROTON_TESTS_OPS_ORACLE_HPP

#include <bit>
#include <cmath>
#include <cstdint>
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
template <> struct formula<op::ndtr> : within<5> { static real value(real x) { return std::erfc(-x / std::sqrt(real(2))) / 2; } };
/// Below -13 the share is a denormal number of float.
template <> struct formula<op::gelu> : within<15> { static real value(real x) { return x * formula<op::ndtr>::value(x); } };
/// Below -10 its sigmoid is a denormal number of float.
template <> struct formula<op::gelu_tanh> : within<8> {
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
template <> struct formula<op::exp2> : within<2> { static real value(real x) { return std::exp2(x); } };
template <> struct formula<op::log2> : within<2> { static real value(real x) { return std::log2(x); } };
template <> struct formula<op::log10> : within<2> { static real value(real x) { return std::log10(x); } };
template <> struct formula<op::cbrt> : within<4> { static real value(real x) { return std::cbrt(x); } };
template <> struct formula<op::sin> : within<3> { static real value(real x) { return std::sin(x); } };
template <> struct formula<op::cos> : within<2> { static real value(real x) { return std::cos(x); } };
template <> struct formula<op::tan> : within<4> { static real value(real x) { return std::tan(x); } };
template <> struct formula<op::asin> : within<3> { static real value(real x) { return std::asin(x); } };
template <> struct formula<op::acos> : within<2> { static real value(real x) { return std::acos(x); } };
template <> struct formula<op::atan> : within<3> { static real value(real x) { return std::atan(x); } };
template <> struct formula<op::hypot> : within<2> { static real value(real a, real b) { return std::hypot(a, b); } };
template <> struct formula<op::atan2> : within<3> { static real value(real y, real x) { return std::atan2(y, x); } };
template <> struct formula<op::sinh> : within<3> { static real value(real x) { return std::sinh(x); } };
template <> struct formula<op::cosh> : within<3> { static real value(real x) { return std::cosh(x); } };
template <> struct formula<op::asinh> : within<4> { static real value(real x) { return std::asinh(x); } };
template <> struct formula<op::acosh> : within<4> { static real value(real x) { return std::acosh(x); } };
template <> struct formula<op::atanh> : within<3> { static real value(real x) { return std::atanh(x); } };
template <> struct formula<op::erfc> : within<4> { static real value(real x) { return std::erfc(x); } };
template <> struct formula<op::erfinv> : within<4> {
    // Newton's steps on the function that keeps digits; of numbers beyond its ends the formula of the logarithm is NaN.
    static real value(real x) {
        const real size = std::fabs(x), pi = std::acos(real(-1));
        if (x == 0 || !(size < 1)) return size == 1 ? std::copysign(std::numeric_limits<real>::infinity(), x) : x == 0 ? x : std::numeric_limits<real>::quiet_NaN();
        real y = size < real(0.9L) ? size * std::sqrt(pi) / 2 : std::sqrt(-std::log(1 - size));
        for (int i = 0; i < 80; ++i) {
            const real lost = size < real(0.5L) ? std::erf(y) - size : (1 - size) - std::erfc(y), step = lost * std::exp(y * y) * std::sqrt(pi) / 2;
            y -= step / (1 + y * step);
        }
        return std::copysign(y, x);
    }
};
template <> struct formula<op::lgamma> : within<8> { static real value(real x) { return std::lgamma(x); } };
/// The sum of (q + k)^-s over k = 0, 1, ...
inline real zeta(real s, real q) {
    real sum = 0;
    for (; q < 30 || q < 4 * s; ++q) {
        const real term = std::pow(q, -s);
        sum += term;
        if (term <= sum * real(1e-22)) return sum;
    }
    const real last = std::pow(q, -s), b[] = {real(1) / 6, real(-1) / 30, real(1) / 42, real(-1) / 30, real(5) / 66, real(-691) / 2730, real(7) / 6};
    real factors = s, power = last / q, factorial = 2;
    sum += last * q / (s - 1) + last / 2;
    for (int i = 0; i < 7; ++i) {
        sum += b[i] / factorial * factors * power;
        factors *= (s + 2 * i + 1) * (s + 2 * i + 2);
        factorial *= static_cast<real>((2 * i + 3) * (2 * i + 4));
        power /= q * q;
    }
    return sum;
}
template <> struct formula<op::digamma> : within<4> {
    static real value(real x) {
        const real pi = std::acos(real(-1));
        if (x == 0) return -std::copysign(std::numeric_limits<real>::infinity(), x);
        if (x < 0) return x == std::floor(x) ? std::numeric_limits<real>::quiet_NaN() : value(1 - x) - pi / std::tan(pi * (x - std::rint(x)));
        real sum = 0;
        for (; x < 30; ++x) sum -= 1 / x;
        const real z = 1 / (x * x), b[] = {real(1) / 12, real(-1) / 120, real(1) / 252, real(-1) / 240, real(1) / 132, real(-691) / 32760, real(1) / 12};
        real tail = 0;
        for (int i = 6; i >= 0; --i) tail = (tail + b[i]) * z;
        return sum + std::log(x) - 1 / (2 * x) - tail;
    }
    // Below 0 two parts cancel at its roots.
    static real size(real x) { return x < 0 ? std::fabs(value(1 - x)) : 0; }
};
template <> struct formula<op::polygamma> : within<8> {
    static real value(real n, real x) {
        const real nan = std::numeric_limits<real>::quiet_NaN(), infinity = std::numeric_limits<real>::infinity();
        if (!(n >= 0 && n < infinity) || n != std::floor(n) || x != x || x == -infinity) return nan;
        if (n == 0) return formula<op::digamma>::value(x);
        const bool odd = std::fmod(n, real(2)) == 1;
        if (x == infinity) return 0;
        const real last = std::ceil(x) - x, factorial = std::tgamma(n + 1);
        if (x <= 0 && last == 0) return odd ? infinity : nan;
        if (!odd && x < 0 && last == real(0.5)) return value(n, 1 - x);
        if (std::isinf(factorial)) {
            // So far out there is no number left between 0 and infinity: the largest term decides.
            const real near = x > 0 ? x : std::min(last, 1 - last), size = std::log(n / near) < 1 ? 0 : infinity;
            return odd || (x < 0 && last < real(0.5)) ? size : -size;
        }
        const auto power = [&](real q) { return std::pow(q, -n - 1); };
        // Below 0 the terms that may cancel are taken first.
        const real sign = odd ? 1 : -1, below = x > 0 ? 0 : zeta(n + 1, 1 + last) - zeta(n + 1, 1 - x);
        const real sum = x > 0 ? zeta(n + 1, x) : power(1 - last) + sign * power(last) + (zeta(n + 1, 2 - last) + sign * below);
        return odd ? factorial * sum : -factorial * sum;
    }
    static real size(real n, real x) {
        if (n == 0) return formula<op::digamma>::size(x);
        return x < 0 ? std::tgamma(n + 1) * zeta(n + 1, 1 + x - std::floor(x)) : 0;
    }
};
template <> struct formula<op::logit> : within<3> {
    static real value(real x) { return std::fabs(x - real(0.5L)) < real(0.2L) ? std::log1p((2 * x - 1) / (1 - x)) : std::log(x / (1 - x)); }
};
template <> struct formula<op::softsign> : within<2> { static real value(real x) { return x / (1 + std::fabs(x)); } };
template <> struct formula<op::floor> : within<0> { static real value(real x) { return std::floor(x); } };
template <> struct formula<op::ceil> : within<0> { static real value(real x) { return std::ceil(x); } };
template <> struct formula<op::trunc> : within<0> { static real value(real x) { return std::trunc(x); } };
template <> struct formula<op::round> : within<0> { static real value(real x) { return std::rint(x); } };
template <> struct formula<op::fmod> : within<0> {
    static real value(real a, real b) { return std::fmod(a, b); }
    static std::int64_t value(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a % b; }
};
template <> struct formula<op::remainder> : within<1> {
    static real value(real a, real b) {
        const real rest = std::fmod(a, b);
        return rest == 0 ? std::copysign(rest, b) : (rest < 0) != (b < 0) ? rest + b : rest;
    }
    static std::int64_t value(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : (a % b + b) % b; }
};
template <> struct formula<op::floor_divide> : within<1> {
    static real value(real a, real b) {
        const real rest = std::fmod(a, b);
        if (b == 0) return a / b;
        const real down = std::rint((a - rest) / b) - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
        return down == 0 ? std::copysign(real(0), a / b) : down;
    }
    static std::int64_t value(std::int64_t a, std::int64_t b) { return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
};
template <> struct formula<op::copysign> : within<0> { static real value(real a, real b) { return std::copysign(a, b); } };
template <> struct formula<op::heaviside> : within<0> { static real value(real x, real h) { return x == 0 ? h : x < 0 ? 0 : x > 0 ? 1 : x; } };
template <> struct formula<op::nextafter> : within<0> { template <class T> static T of(T a, T b) { return std::nextafter(a, b); } };
template <> struct formula<op::fma> : within<0> { template <class T> static T of(T a, T b, T c) { return std::fma(a, b, c); } };
template <> struct formula<op::logical_xor> : within<0> { static bool value(bool a, bool b) { return a != b; } };
template <> struct formula<op::bitwise_and> : within<0> { static std::int64_t value(std::int64_t a, std::int64_t b) { return a & b; } };
template <> struct formula<op::bitwise_or> : within<0> { static std::int64_t value(std::int64_t a, std::int64_t b) { return a | b; } };
template <> struct formula<op::bitwise_xor> : within<0> { static std::int64_t value(std::int64_t a, std::int64_t b) { return a ^ b; } };
template <> struct formula<op::bitwise_not> : within<0> { static std::int64_t value(std::int64_t a) { return ~a; } };
template <> struct formula<op::bitwise_count> : within<0> {
    static std::int64_t value(std::int64_t a) { return std::popcount(static_cast<std::uint64_t>(a < 0 ? 0 - static_cast<std::uint64_t>(a) : static_cast<std::uint64_t>(a))); }
};
template <> struct formula<op::left_shift> : within<0> {
    template <class T> static T of(T a, T b) { return static_cast<T>(b < 0 || b >= T(8 * sizeof(T)) ? 0 : static_cast<std::make_unsigned_t<T>>(a) << b); }
};
template <> struct formula<op::right_shift> : within<0> {
    template <class T> static T of(T a, T b) { return b < 0 || b >= T(8 * sizeof(T)) ? (a < 0 ? T(-1) : T(0)) : a >> b; }
};
// clang-format on

/// How large what cancels by the definition of the operator is, where it says so.
template <class Op, class A, class B> real size_of_parts([[maybe_unused]] A a, [[maybe_unused]] B b) {
    if constexpr (requires { formula<Op>::size(a, b); }) return formula<Op>::size(a, b);
    else if constexpr (requires { formula<Op>::size(a); }) return formula<Op>::size(a);
    else return 0;
}

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
