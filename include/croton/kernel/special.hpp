// SPDX-License-Identifier: MIT
// Special functions that no library has for all devices: of one number, or of lanes where that is said.
#ifndef CROTON_KERNEL_SPECIAL_HPP
#define CROTON_KERNEL_SPECIAL_HPP

#include <cmath>
#include <limits>
#include <type_traits>

#include <croton/kernel/kernel.hpp>

namespace croton::inline v0_1::kernel {

// Device code calls no function of the host, and reads what is constant.
inline constexpr double infinite = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// c[0] + c[1] x + c[2] x^2 + ..., of one number or of lanes.
template <class V, int N> CROTON_HD V series(V x, const double (&c)[N]) {
    V sum = constant<V>(c[N - 1]);
    for (int i = N - 2; i >= 0; --i) sum = sum * x + constant<V>(c[i]);
    return sum;
}

/// The inverse of erf, of one number or of lanes: polynomials in w = -log(1 - x^2) and in its root (through their values at
/// Chebyshev's points; they are 8e-7 away at most), and one step of Halley's. Away from 0 the step is that of erfc, which keeps the
/// digits of 1 - |x|.
template <class V> CROTON_HD V inverse_erf(V x) {
    using std::abs;
    using std::copysign;
    using std::erf;
    using std::erfc;
    using std::exp;
    using std::log;
    using std::sqrt;
    const double near[] = {1.5014093599562026, 0.2466407582262996, -0.004177389760960268, -0.0012537486102968279, 0.00021834691468099665,
                           -4.383631601240135e-06, -3.4633561640861445e-06, 3.42524857582661e-07, 2.3285844482485935e-08};
    const double far[] = {4.009410816812694, 1.0098541267126548, 0.0008621479149949628, -0.0007094639240073666, 0.0002689295422684648, -4.0526395058326436e-05,
                          -1.7351143267126753e-06, -3.210240179130924e-05, 2.335338861436286e-05, -2.789873011927383e-06, -7.037787137916041e-07};
    const V one = constant<V>(1), size = abs(x), rest = one - size;
    const V w = -log(rest * (one + size));
    const V first = size * select(w < constant<V>(5), series(w - constant<V>(2.5), near), series(sqrt(w) - constant<V>(4.168), far));
    const V lost = select(size < constant<V>(0.5), erf(first) - size, rest - erfc(first));
    const V step = lost * exp(first * first) * constant<V>(0.8862269254527580137);
    const V y = first - step / (one + first * step);
    return copysign(select(size < one, y, select(size == one, constant<V>(infinite), constant<V>(not_a_number))), x);
}

/// log(x / (1 - x)), of one number or of lanes, with all digits at 0.5 too.
template <class V> CROTON_HD V log_odds(V x) {
    using std::abs;
    using std::log;
    using std::log1p;
    const V one = constant<V>(1), rest = one - x;
    return select(abs(x - constant<V>(0.5)) < constant<V>(0.2), log1p((x + x - one) / rest), log(x / rest));
}

/// The derivative of lgamma. From 1 to 2 the function of Boost, which has its root exactly; beyond 10 its asymptotic series. It is NaN
/// at the negative whole numbers, and infinite at 0 as SciPy has it.
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
        const double p[] = {0.25479851061131551, -0.32555031186804491, -0.65031853770896507, -0.28919126444774784, -0.045251321448739056, -0.0020713321167745952};
        const double q[] = {1, 2.0767117023730469, 1.4606242909763515, 0.43593529692665969, 0.054151797245674225, 0.0021284987017821144, -0.55789841321675513e-6};
        const double from_root = x - 1569415565.0 / 1073741824 - 381566830.0 / 1073741824 / 1073741824 - 0.9016312093258695918615325266959189453125e-19;
        return sum + (from_root * 0.99558162689208984375 + from_root * (series(x - 1, p) / series(x - 1, q)));
    }
    const double b[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12};
    const double z = 1 / (x * x);
    return sum + (std::log(x) - 0.5 / x - z * series(z, b));
}

/// The sum of (q + k)^-s over k = 0, 1, ... for q > 0 and s > 1: some terms, and the rest by Euler and Maclaurin.
inline CROTON_HD double hurwitz_zeta(double s, double q) {
    const double bernoulli[] = {12, -720, 30240, -1209600, 47900160, -1.8924375803183791606e9, 7.47242496e10, -2.950130727918164224e12,
                                1.1646782814350067249e14, -4.5979787224074726105e15, 1.8152105401943546773e17, -7.1661652561756670113e18};
    double sum = 0;
    for (; q < 10; q += 1) {
        const double term = std::pow(q, -s);
        sum += term;
        if (term <= sum * 1e-17) return sum;
    }
    const double last = std::pow(q, -s);
    double power = last / q, factors = s;
    sum += q * last / (s - 1) + 0.5 * last;
    for (int i = 0; i < 12; ++i) {
        sum += factors * power / bernoulli[i];
        factors *= (s + (2 * i + 1)) * (s + (2 * i + 2));
        power /= q * q;
    }
    return sum;
}

/// The n-th derivative of digamma, for whole n from 0; NaN for others. At 0 and at the negative whole numbers it is infinite for odd n.
inline CROTON_HD double polygamma_of(double n, double x) {
    if (!(n >= 0 && n < infinite) || n != std::floor(n) || x != x || x == -infinite) return not_a_number;
    if (n == 0) return digamma_of(x);
    const bool odd = std::fmod(n, 2.0) == 1;
    if (x == infinite) return odd ? 0.0 : -0.0;
    double sum;
    if (x > 0) {
        sum = hurwitz_zeta(n + 1, x);
    } else {
        // The terms below 0 are those of two sums that start where they are least.
        const double last = std::ceil(x) - x;
        if (last == 0) return odd ? infinite : not_a_number;
        const double below = hurwitz_zeta(n + 1, last) - hurwitz_zeta(n + 1, 1 - x);
        sum = hurwitz_zeta(n + 1, 1 - last) + (odd ? below : -below);
    }
    const double factorial = std::tgamma(n + 1);
    return odd ? factorial * sum : -(factorial * sum);
}

template <class T>
    requires std::is_floating_point_v<T>
CROTON_HD T digamma(T x) { return static_cast<T>(digamma_of(x)); }
template <class T>
    requires std::is_floating_point_v<T>
CROTON_HD T polygamma(T n, T x) { return static_cast<T>(polygamma_of(n, x)); }

}  // namespace croton::inline v0_1::kernel

#endif
