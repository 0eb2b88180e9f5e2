// SPDX-License-Identifier: MIT
// Special functions that no library has for all devices: of one number, or of lanes where that is said.
#ifndef CROTON_KERNEL_SPECIAL_HPP
#define CROTON_KERNEL_SPECIAL_HPP

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include <croton/kernel/kernel.hpp>

namespace croton::inline v0_1::kernel {

// Device code calls no function of the host, and reads what is constant.
inline constexpr double infinite = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// c[First] + c[First + Step] x + c[First + 2 Step] x^2 + ..., written out, so that the coefficients are constants.
template <int First, int Step, class V, int N, int... I> CROTON_HD V series(V x, const double (&c)[N], std::integer_sequence<int, I...>) {
    constexpr int last = First + (N - 1 - First) / Step * Step;
    V sum = constant<V>(c[last]);
    ((sum = sum * x + constant<V>(c[last - Step - Step * I])), ...);
    return sum;
}
/// c[0] + c[1] x + c[2] x^2 + ..., of one number or of lanes; of many coefficients even and odd powers run side by side, of more four parts.
template <class V, int N> CROTON_HD V series(V x, const double (&c)[N]) {
    if constexpr (N < 8) {
        return series<0, 1>(x, c, std::make_integer_sequence<int, N - 1>());
    } else if constexpr (N > 16) {
        const V square = x * x, fourth = square * square;
        const V even = series<2, 4>(fourth, c, std::make_integer_sequence<int, (N - 3) / 4>()) * square + series<0, 4>(fourth, c, std::make_integer_sequence<int, (N - 1) / 4>());
        const V odd = series<3, 4>(fourth, c, std::make_integer_sequence<int, (N - 4) / 4>()) * square + series<1, 4>(fourth, c, std::make_integer_sequence<int, (N - 2) / 4>());
        return odd * x + even;
    } else {
        const V square = x * x;
        return series<1, 2>(square, c, std::make_integer_sequence<int, N / 2 - 1>()) * x + series<0, 2>(square, c, std::make_integer_sequence<int, (N - 1) / 2>());
    }
}

/// Whether a condition holds in any lane of it; lanes have one of their own.
CROTON_HD constexpr bool in_any_lane(bool condition) { return condition; }

/// The inverse of erf, of one number or of lanes: x times polynomials in w = -log(1 - x^2), and in its root away from 0, through their
/// values at Chebyshev's points (after Giles, Approximating the erfinv function, 2012); their error is below 7e-9 for float and 8e-17
/// for double. What no lane needs is not computed.
template <class V> CROTON_HD V inverse_erf(V x) {
    using std::abs;
    using std::copysign;
    using std::log;
    using std::sqrt;
    const V one = constant<V>(1), size = abs(x);
    const V w = -log((one - size) * (one + size));
    V ratio;
    if constexpr (sizeof(lane_type<V>) == 4) {
        const double near[] = {1.501409360450329, 0.24664027905463662, -0.004177392875203149, -0.001252726391773229, 0.00021834938623976644,
                                -4.9724196894547514e-06, -3.4639852676333717e-06, 4.6813134805534123e-07, 2.3335967195708108e-08,
                                -8.931925970244222e-09};
        const double far[] = {3.05172294607274, 1.004903371309664, 0.005747119739142354, -0.004088148310383553, 0.0027740503564193915,
                               -0.0018776420320571687, 0.0010445355409382025, -0.0003644783242379436, -1.977710847566302e-05, 9.643372692893135e-05,
                               -3.259304656987801e-05, -9.575541530241269e-07};
        const auto inside = w < constant<V>(5);
        ratio = series(w - constant<V>(2.5), near);
        if (in_any_lane(!inside)) ratio = select(inside, ratio, series(sqrt(w) - constant<V>(3.218), far));
    } else {
        const double near[] = {1.6536545626831027, 0.24015818242558834, -0.006033670871426851, -0.0007407025341546431, 0.00018673420801981186,
                               -1.3882523393957483e-05, -1.3654691758785656e-06, 4.23478816822246e-07, -2.907039127564132e-08,
                               -4.1126604371632185e-09, 1.051223377050429e-09, -5.414303283919504e-11, -1.2978805369932565e-11,
                               2.6305268312595183e-12, -8.07192593899004e-14, -4.0020031087558496e-14, 6.521333511502239e-15, -3.94018812230432e-17,
                               -1.2215637192404172e-16, 1.5510787009902526e-17, 6.075050702072414e-19, -3.4734793888538036e-19,
                               1.999259988861535e-20, 3.194015548136271e-21, -3.5932028927020693e-22};
        const double middle[] = {3.0838856104922208, 1.0052589676941655, 0.005370914553555033, -0.0037512085082247342, 0.00249144209795696,
                                 -0.0016882755354488555, 0.0009532893415794137, -0.0003550378137852452, 2.4031512865758357e-05,
                                 6.828711739251955e-05, -4.732068066544697e-05, 1.2465028224217455e-05, 2.93257845538535e-06, -3.985705945648173e-06,
                                 1.4815977874022539e-06, -2.761716223816241e-08, -2.4549818963339823e-07, 1.3158663683192966e-07,
                                 -2.091453334773126e-08, -1.5305397964152548e-08, 7.680200479077053e-09};
        const double far[] = {4.925678067620052, 1.0102761535250602, -0.00018461718744185846, -0.00019330151765972037, 6.898232510494084e-05,
                              -1.7757190486275465e-05, 4.038572330348006e-06, -8.679538079044281e-07, 1.8984191764142878e-07, -4.986162426779457e-08,
                              1.8977633310126593e-08, -9.544024428613857e-09, 4.991419013915644e-09, -2.3508124018892834e-09, 9.252023540839596e-10,
                              -3.0186280357638496e-10, 7.99999615968962e-11, -1.7220848227197196e-12, -1.3649678142235465e-11, 4.575990655529495e-12};
        const auto inside = w < constant<V>(6.25);
        ratio = series(w - constant<V>(3.125), near);
        if (in_any_lane(!inside)) {
            const V root = sqrt(w);
            const V beyond = select(root < constant<V>(4), series(root - constant<V>(3.25), middle), series(root - constant<V>(5.075), far));
            ratio = select(inside, ratio, beyond);
        }
    }
    return select(size < one, x * ratio, copysign(select(size == one, constant<V>(infinite), constant<V>(not_a_number)), x));
}

/// log(x / (1 - x)), of one number or of lanes, with all digits at 0.5 too.
template <class V> CROTON_HD V log_odds(V x) {
    using std::abs;
    using std::log;
    using std::log1p;
    const V one = constant<V>(1), rest = one - x;
    return select(abs(x - constant<V>(0.5)) < constant<V>(0.2), log1p((x + x - one) / rest), log(x / rest));
}

/// The derivative of lgamma. From 1 to 2 the distance from its root, which is known to twice the digits, times a polynomial through Chebyshev's points;
/// beyond 10 its asymptotic series. It is NaN at the negative whole numbers, and infinite at 0 as SciPy has it.
inline CROTON_HD double digamma_of(double x) {
    double sum = 0;
    if (x <= 0) {
        if (x == 0) return -std::copysign(infinite, x);
        const double from_whole = x - std::rint(x);
        if (!(std::fabs(from_whole) > 0)) return not_a_number;
        constexpr double pi = 3.14159265358979323846;
        // Near a half the cotangent is 0, and a tangent is as near.
        const double size = std::fabs(from_whole), cotangent = size > 0.25 ? std::tan(pi * (0.5 - size)) : 1 / std::tan(pi * size);
        sum = from_whole < 0 ? pi * cotangent : -pi * cotangent;
        x = 1 - x;
    }
    if (x < 1) {
        sum -= 1 / x;
        x += 1;
    }
    if (x < 10) {
        for (; x > 2; sum += 1 / x) x -= 1;
        const double ratio[] = {0.951055876031833, -0.21181371064073026, 0.06013562106019355, -0.018550615381738605, 0.005936795278433826, -0.0019350666647832667,
                                0.000636888028319074, -0.00021074841215733007, 6.995020484160625e-05, -2.325823828431376e-05, 7.741156881253708e-06,
                                -2.578107848270217e-06, 8.591324222417666e-07, -2.8628755280038686e-07, 9.500926192924096e-08, -3.166618072027162e-08,
                                1.10370884388543e-08, -3.6788868183645545e-09, 8.668257373761658e-10, -2.889363639216111e-10, 2.4765474440031764e-10,
                                -8.25512972008104e-11};
        const double from_root = x - 1.4616321449683622 - 9.549995429965697e-17;
        return sum + from_root * series(2 * x - 3, ratio);
    }
    const double b[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
    const double z = 1 / (x * x);
    return sum + (std::log(x) - 0.5 / x - z * series(z, b));
}

/// (q / unit)^-s for whole s. Where q is next to another unit than 1, its rounded quotient would lose digits of a large power. A small power is a few products, which lose four units
/// in the last place at most.
inline CROTON_HD double power_in_units(double q, double unit, double s) {
    if (unit == 1 && s <= 8 && q > 1e-15 && q < 1e15) {
        double power = 1;
        for (int left = static_cast<int>(s); left > 0; left >>= 1, q *= q)
            if ((left & 1) != 0) power *= q;
        return 1 / power;
    }
    const double beyond = q - unit;
    return unit != 1 && beyond < unit ? std::exp(-s * std::log1p(beyond / unit)) : std::pow(q / unit, -s);
}

/// The sum of ((q + k) / unit)^-s over k = 0, 1, ... for q > 0 and s > 1: some terms, and the rest by Euler and Maclaurin.
inline CROTON_HD double hurwitz_zeta(double s, double q, double unit) {
    const double bernoulli[] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330,
                                854513.0 / 138, -236364091.0 / 2730};
    double sum = 0;
    // The rest is one of a series in (s / q)^2; where s is larger the terms vanish soon.
    for (; q < 10 || q < s; q += 1) {
        const double term = power_in_units(q, unit, s);
        sum += term;
        // Where one more is hardly another number, nothing but the size of the first counts.
        if (term <= sum * 1e-17 || q > 1e15) return sum;
    }
    // Of a large q the power itself may be 0, and this is not.
    const double last = unit * power_in_units(q, unit, s - 1);
    double power = last / q / q, factors = s / 2;
    sum += last / (s - 1) + 0.5 * last / q;
    for (int i = 0; i < 12 && power > 0; ++i) {
        const double term = factors * power * bernoulli[i];
        sum += term;
        if (std::fabs(term) <= sum * 1e-17) break;
        factors *= (s + (2 * i + 1)) * (s + (2 * i + 2)) / ((2 * i + 3) * (2 * i + 4));
        power /= q * q;
    }
    return sum;
}

/// Whether a whole number is odd.
inline CROTON_HD bool is_odd(double n) { return n / 2 != std::floor(n / 2); }

/// The sum of ((x + k) / unit)^-(n + 1) over k = 0, 1, ..., for x that is no whole number below 1; for even n and x < 0 with the other sign.
inline CROTON_HD double polygamma_sum(double n, double x, double unit) {
    if (x > 0) return hurwitz_zeta(n + 1, x, unit);
    // The terms below 0 are the difference of two sums. For even n those next to 0 cancel, where x is between whole numbers, and are taken by themselves.
    const double last = std::ceil(x) - x, sign = is_odd(n) ? 1 : -1;
    const double next = power_in_units(1 - last, unit, n + 1) + sign * power_in_units(last, unit, n + 1);
    const double below = hurwitz_zeta(n + 1, 1 + last, unit) - hurwitz_zeta(n + 1, 1 - x, unit);
    return next + (hurwitz_zeta(n + 1, 2 - last, unit) + sign * below);
}

/// n! / unit^(n + 1) times `sum`, also where the factors are beyond the range of double. From n = 10^4 on it has a relative error of n times 1e-15.
inline CROTON_HD double factorial_in_units(double n, double unit, double sum) {
    if (n > 1e17) return n * (std::log(n / unit) - 1) < 0 ? 0 : std::copysign(infinite, sum);
    if (n > 1e4) return std::copysign(std::exp(std::lgamma(n + 1) - (n + 1) * std::log(unit) + std::log(std::fabs(sum))), sum);
    // The largest factors while it is small, the smallest while it is large; what each step rounds off is added at the end.
    double product = sum, lost = 0;
    const auto times = [&](double factor, double lost_of_factor) {
        const double next = product * factor;
        lost += lost_of_factor + std::fma(product, factor, -next) / next;
        product = next;
    };
    const auto divided = [&](double number) {
        const double quotient = number / unit;
        times(quotient, std::fma(-quotient, unit, number) / number);
    };
    divided(1);
    for (double low = 1, high = n; low <= high && product != 0 && std::fabs(product) < infinite;)
        if (std::fabs(product) < 1) divided(high--);
        else divided(low++);
    return product == 0 || !(std::fabs(product) < infinite) ? product : product + product * lost;
}

/// n!, which of small n is exact.
inline CROTON_HD double factorial_of(double n) {
    if (n > 20) return std::tgamma(n + 1);
    double product = 1;
    for (double k = 2; k <= n; ++k) product *= k;
    return product;
}

/// The n-th derivative of digamma, for whole n from 0; NaN for others. At 0 and at the negative whole numbers it is infinite for odd n.
inline CROTON_HD double polygamma_of(double n, double x) {
    if (!(n >= 0 && n < infinite) || n != std::floor(n) || x != x || x == -infinite) return not_a_number;
    if (n == 0) return digamma_of(x);
    const bool odd = is_odd(n);
    if (x == infinite) return odd ? 0.0 : -0.0;
    double last = std::ceil(x) - x;
    if (x <= 0) {
        if (last == 0) return odd ? infinite : not_a_number;
        // In the middle of two whole numbers the terms of even n on both sides of 0 are the same.
        if (!odd && last == 0.5) x = 1 - x;
    }
    const double factorial = factorial_of(n), sum = polygamma_sum(n, x, 1);
    double size = factorial * sum;
    if (factorial == infinite || (n > 2 && std::fabs(sum) < 2.2250738585072014e-308)) {
        // What is beyond the range of numbers may come back into it: in units of the term that is largest.
        const double unit = x > 0 ? x : std::fmin(last, 1 - last);
        size = factorial_in_units(n, unit, polygamma_sum(n, x, unit));
    }
    return odd ? size : -size;
}

template <class T>
    requires std::is_floating_point_v<T>
CROTON_HD T digamma(T x) { return static_cast<T>(digamma_of(x)); }
template <class T>
    requires std::is_floating_point_v<T>
CROTON_HD T polygamma(T n, T x) { return static_cast<T>(polygamma_of(n, x)); }

}  // namespace croton::inline v0_1::kernel

#endif
