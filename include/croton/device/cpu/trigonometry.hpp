// SPDX-License-Identifier: MIT
// sin, cos, tan, atan and atan2 of one SIMD register: within 2.1, 1.9, 3.8, 2.1 and 2.6 units in the last place of float and double, for every number.
#ifndef CROTON_DEVICE_CPU_TRIGONOMETRY_HPP
#define CROTON_DEVICE_CPU_TRIGONOMETRY_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/math.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::simd::math {

/// Half of pi in parts of few bits, whose products with the number of quarters are exact up to `largest` (Cody and Waite, Software Manual for the
/// Elementary Functions, 1980), and the best polynomials in x^2 up to an eighth of the circle: of (sin(x) / x - 1) / x^2 and of
/// (cos(x) - 1 + x^2 / 2) / x^4. xsimd 8 chooses its reduction by all lanes together, so that a result depends on its neighbours.
template <class T> struct circle;
template <> struct circle<float> {
    static constexpr float near = 63.0f, largest = 201.0f, per_quarter = 0.636619772367581343f, rounding = 12582912.0f;
    static constexpr float first = 0x1.921f00p+0f, second = 0x1.6a8800p-17f, third = 0x1.0b4600p-34f, rest = 0x1.1a6264p-54f, tail = 0x1.0b4612p-34f;
    static constexpr float sine[] = {-1.6666655e-01f, 8.332178e-03f, -1.9517235e-04f};
    static constexpr float cosine[] = {4.1666646e-02f, -1.3887367e-03f, 2.443838e-05f};
};
template <> struct circle<double> {
    static constexpr double near = 63.0, largest = 823549.0, per_quarter = 0.636619772367581343075535, rounding = 6755399441055744.0;
    static constexpr double first = 0x1.921fb54400000p+0, second = 0x1.0b4611a600000p-34, third = 0x1.3198a2e000000p-69, rest = 0x1.b839a252049c1p-104, tail = 0x1.3198a2e037073p-69;
    static constexpr double sine[] = {-0.16666666666666632, 0.008333333333322413, -0.00019841269829807808, 2.755731369191817e-06, -2.5050758115289366e-08, 1.5896795654494367e-10};
    static constexpr double cosine[] = {0.0416666666666666, -0.0013888888888874125, 2.4801587289482194e-05, -2.7557314352335073e-07, 2.087572327348611e-09, -1.1359647814923794e-11};
};

template <class T, class A, std::size_t N, std::size_t... I>
CROTON_INLINE xsimd::batch<T, A> horner(const xsimd::batch<T, A>& x, const T (&c)[N], std::index_sequence<I...>) {
    using b = xsimd::batch<T, A>;
    b y(c[N - 1]);
    ((y = math::fma(y, x, b(c[N - 2 - I]))), ...);
    return y;
}
template <class T, class A, std::size_t N> CROTON_INLINE xsimd::batch<T, A> horner(const xsimd::batch<T, A>& x, const T (&c)[N]) {
    return horner(x, c, std::make_index_sequence<N - 1>());
}

/// What is left of the size of an angle beside the nearest multiple of a quarter of the circle, and the number of that.
template <class T, class A> struct quarters {
    using b = xsimd::batch<T, A>;
    using bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, A>;
    b rest;
    bits number;

    CROTON_INLINE explicit quarters(const b& size) {
        using c = circle<T>;
        // The sum has the whole number in its last bits.
        const b sum = math::fma(size, b(c::per_quarter), b(c::rounding)), n = sum - b(c::rounding);
        number = xsimd::bitwise_cast<bits>(sum);
        rest = math::fnma(n, b(c::tail), math::fnma(n, b(c::second), math::fnma(n, b(c::first), size)));
        const auto far = size > b(c::near);
        if (xsimd::any(far)) [[unlikely]] {
            // With what each difference loses.
            b t = size - n * b(c::first), w = n * b(c::second);
            b r = t - w;
            w = n * b(c::third) - ((t - r) - w);
            t = r;
            r = t - w;
            rest = xsimd::select(far, r - (n * b(c::rest) - ((t - r) - w)), rest);
        }
    }

    CROTON_INLINE auto odd() const { return xsimd::bool_cast((number & bits(1)) == bits(1)); }
    /// The sign that the second bit of a number is.
    CROTON_INLINE static b sign(const bits& of) { return xsimd::bitwise_cast<b>((of & bits(2)) << static_cast<int>(8 * sizeof(T) - 2)); }
    CROTON_INLINE b sine() const { const b z = rest * rest; return math::fma(rest * z, horner(z, circle<T>::sine), rest); }
    CROTON_INLINE b cosine() const {
        const b z = rest * rest;
        return math::fma(z * z, horner(z, circle<T>::cosine), math::fnma(z, b(T(0.5)), b(T(1))));
    }
};

/// `near`, and what `far` makes of the numbers that are too large for it.
template <class T, class A, class F>
CROTON_INLINE xsimd::batch<T, A> of_angle(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& near, F far) {
    const auto inside = xsimd::abs(x) <= xsimd::batch<T, A>(circle<T>::largest);
    if (xsimd::all(inside)) [[likely]] return near;
    return xsimd::select(inside, near, each_lane(far, x));
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> sin(const xsimd::batch<T, A>& x) {
    using q = quarters<T, A>;
    const q angle(xsimd::abs(x));
    const auto y = xsimd::select(angle.odd(), angle.cosine(), angle.sine());
    return of_angle(x, y ^ q::sign(angle.number) ^ xsimd::bitofsign(x), [](T v) { return std::sin(v); });
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cos(const xsimd::batch<T, A>& x) {
    using q = quarters<T, A>;
    const q angle(xsimd::abs(x));
    const auto y = xsimd::select(angle.odd(), angle.sine(), angle.cosine());
    return of_angle(x, y ^ q::sign(angle.number + typename q::bits(1)), [](T v) { return std::cos(v); });
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> tan(const xsimd::batch<T, A>& x) {
    const quarters<T, A> angle(xsimd::abs(x));
    const auto s = angle.sine(), c = angle.cosine();
    const auto odd = angle.odd();
    const auto y = xsimd::select(odd, -c, s) / xsimd::select(odd, s, c);
    return of_angle(x, y ^ xsimd::bitofsign(x), [](T v) { return std::tan(v); });
}

/// (atan(t) / t - 1) / t^2 in t^2 for |t| up to the tangent of an eighth of pi, within 2^-30 and 2^-59 of atan(t).
template <class T> struct angle_constants;
template <> struct angle_constants<float> {
    static constexpr float near[] = {-0.33333315505250152f, 0.1999848943719559f, -0.14243848757279809f, 0.10596001711073293f, -0.060834537480104177f};
};
template <> struct angle_constants<double> {
    static constexpr double near[] = {-0.33333333333333199, 0.19999999999954082, -0.14285714280248526, 0.11111110786138308, -0.090908978364557519, 0.076920616371478842,
                                      -0.066631203835019111, 0.058480089093668128, -0.050398454677094806, 0.038078319638034539, -0.017922277711718364};
};

template <class T> inline constexpr T pi = static_cast<T>(3.14159265358979323846L);
template <class T> inline constexpr T pi_rest = static_cast<T>(3.14159265358979323846264338L - static_cast<long double>(pi<T>));

/// The angle, up to half of pi, whose tangent is p / q: what it is beyond 0, a quarter or a half of pi, by one quotient.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> angle_of(const xsimd::batch<T, A>& p, const xsimd::batch<T, A>& q) {
    using b = xsimd::batch<T, A>;
    const auto flat = p < q * b(T(0.4142135623730950488)), steep = ~(p < q * b(T(2.4142135623730950488)));
    const b t = xsimd::select(flat, p, xsimd::select(steep, -q, p - q)) / xsimd::select(flat, q, xsimd::select(steep, p, p + q)), z = t * t;
    const b quarters = xsimd::select(flat, b(T(0)), xsimd::select(steep, b(T(2)), b(T(1))));
    const b beyond = math::fma(quarters, b(pi_rest<T> / 4), math::fma(z * t, polynomial(z, angle_constants<T>::near), t));
    return math::fma(quarters, b(pi<T> / 4), beyond);
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> atan(const xsimd::batch<T, A>& x) {
    return angle_of(xsimd::abs(x), xsimd::batch<T, A>(T(1))) ^ xsimd::bitofsign(x);
}

/// Two zeros and two infinities have no quotient, the sum of the largest numbers is none, and parts of the smallest ones are none.
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> angle_of_any(xsimd::batch<T, A> p, xsimd::batch<T, A> q) {
    using b = xsimd::batch<T, A>;
    const b one(T(1)), zero(T(0)), by = xsimd::select(p + q > one, b(T(0.25)), b(T(0x1p60)));
    const auto alike = p == q;
    return angle_of(xsimd::select(alike, xsimd::select(p == zero, zero, one), p * by), xsimd::select(alike, one, q * by));
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> atan2(const xsimd::batch<T, A>& y, const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, A>;
    const b p = xsimd::abs(y), q = xsimd::abs(x), sum = p + q;
    b upper = angle_of(p, q);
    const auto usual = (sum >= b(std::numeric_limits<T>::min() * 64)) & (sum <= b(std::numeric_limits<T>::max()));
    if (!xsimd::all(usual)) [[unlikely]] upper = xsimd::select(usual, upper, angle_of_any(p, q));
    const auto left = xsimd::bool_cast(xsimd::bitwise_cast<bits>(x) < bits(0));
    return xsimd::select(left, b(pi<T>) - (upper - b(pi_rest<T>)), upper) ^ xsimd::bitofsign(y);
}

/// (asin(s) / s - 1) / s^2 in s^2 for s up to a half, within 2^-30 and 2^-59 of the angle.
template <class T> struct sine_constants;
template <> struct sine_constants<float> {
    static constexpr float beyond[] = {0.1666665971f, 0.07500510663f, 0.0445157215f, 0.03181760758f, 0.01440261491f, 0.03756518662f};
};
template <> struct sine_constants<double> {
    static constexpr double beyond[] = {0.16666666666666739, 0.074999999999751465, 0.044642857171252426, 0.0303819428442373, 0.022372211638417593, 0.017351665493297164,
                                        0.013980241976169712, 0.011403235086255443, 0.010757915156621798, 0.003784811907682932, 0.021529004202035538, -0.020761504277635453,
                                        0.03248818346883898};
};
/// The angle of the sine s + `more` of a number up to half; above, half the angle that is left, whose sine is the root of (1 - x) / 2.
template <class T, class A> struct half_angle {
    using b = xsimd::batch<T, A>;
    using truth = xsimd::batch_bool<T, A>;
    truth above;
    b s, more;

    CROTON_INLINE explicit half_angle(const b& x) {
        const b size = xsimd::abs(x), half(T(0.5));
        above = size > half;
        const b left = math::fnma(size, half, half), z = xsimd::select(above, left, size * size);
        s = xsimd::select(above, xsimd::sqrt(left), size);
        more = s * (z * polynomial(z, sine_constants<T>::beyond));
    }
};
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> asin(const xsimd::batch<T, A>& x) {
    if constexpr (sizeof(T) == 4) return xsimd::asin(x);
    using b = xsimd::batch<T, A>;
    const half_angle<T, A> a(x);
    const b left = (b(pi<T> / 2) - (a.s + a.s)) - (a.more + a.more - b(pi_rest<T> / 2));
    return xsimd::select(a.above, left, a.s + a.more) ^ xsimd::bitofsign(x);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> acos(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const half_angle<T, A> a(x);
    const b twice = (a.s + a.more) + (a.s + a.more), sign = xsimd::bitofsign(x), turned = a.s ^ sign;
    const b outer = xsimd::select(x < b(T(0)), b(pi<T>) - (twice - b(pi_rest<T>)), twice);
    const b inner = b(pi<T> / 2) - (turned - (b(pi_rest<T> / 2) - (a.more ^ sign)));
    return xsimd::select(a.above, outer, inner);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
