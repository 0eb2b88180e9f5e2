// SPDX-License-Identifier: MIT
// sin, cos and tan of one SIMD register: within 1.5, 1.5 and 3 units in the last place of float and double, for every number.
#ifndef CROTON_DEVICE_CPU_TRIGONOMETRY_HPP
#define CROTON_DEVICE_CPU_TRIGONOMETRY_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/math.hpp>

namespace croton::inline v0_1::simd::math {

/// Half of pi in parts of few bits, whose products with the number of quarters are exact up to `largest` (fdlibm, e_rem_pio2.c), and
/// the polynomials of Cephes. xsimd 8 chooses its reduction by all lanes together, so that a result depends on its neighbours.
template <class T> struct circle;
template <> struct circle<float> {
    static constexpr float largest = 201.0f, per_quarter = 0.636619772367581343f;
    static constexpr float first = 0x1.921f00p+0f, second = 0x1.6a8800p-17f, third = 0x1.0b4600p-34f, rest = 0x1.1a6264p-54f;
    static constexpr float sine[] = {-1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f};
    static constexpr float cosine[] = {4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f};
};
template <> struct circle<double> {
    static constexpr double largest = 823549.0, per_quarter = 0.636619772367581343075535;
    static constexpr double first = 0x1.921fb54400000p+0, second = 0x1.0b4611a600000p-34, third = 0x1.3198a2e000000p-69, rest = 0x1.b839a252049c1p-104;
    static constexpr double sine[] = {-1.66666666666666307295e-1, 8.33333333332211858878e-3, -1.98412698295895385996e-4,
                                      2.75573136213857245213e-6, -2.50507477628578072866e-8, 1.58962301576546568060e-10};
    static constexpr double cosine[] = {4.16666666666665929218e-2, -1.38888888888730564116e-3, 2.48015872888517045348e-5,
                                        -2.75573141792967388112e-7, 2.08757008419747316778e-9, -1.13585365213876817300e-11};
};

template <class T, class A, std::size_t N> CROTON_INLINE xsimd::batch<T, A> horner(const xsimd::batch<T, A>& x, const T (&c)[N]) {
    using b = xsimd::batch<T, A>;
    b y(c[N - 1]);
    for (std::size_t i = N - 1; i > 0; --i) y = xsimd::fma(y, x, b(c[i - 1]));
    return y;
}

/// What is left of an angle beside the nearest multiple of a quarter, and which of the four that is.
template <class T, class A> struct quarters {
    using b = xsimd::batch<T, A>;
    b rest;
    xsimd::batch_bool<T, A> odd, upper;  // the first and third quarter; the second and third

    CROTON_INLINE explicit quarters(const b& x) {
        using c = circle<T>;
        const b n = xsimd::nearbyint(x * b(c::per_quarter));
        b t = x - n * b(c::first), w = n * b(c::second);
        b r = t - w;
        w = n * b(c::third) - ((t - r) - w);
        t = r;
        r = t - w;
        rest = r - (n * b(c::rest) - ((t - r) - w));
        const b half = n * b(T(0.5)), whole = xsimd::floor(half);
        odd = half != whole;
        const b quarter = whole * b(T(0.5));
        upper = quarter != xsimd::floor(quarter);
    }

    CROTON_INLINE b sine() const { const b z = rest * rest; return xsimd::fma(rest * z, horner(z, circle<T>::sine), rest); }
    CROTON_INLINE b cosine() const {
        const b z = rest * rest, half = b(T(0.5)) * z, near = b(T(1)) - half;
        return near + xsimd::fma(z * z, horner(z, circle<T>::cosine), (b(T(1)) - near) - half);
    }
};

/// `near`, and what `far` makes of the numbers that are too large for it.
template <class T, class A, class F>
CROTON_INLINE xsimd::batch<T, A> of_angle(const xsimd::batch<T, A>& x, const xsimd::batch<T, A>& near, F far) {
    using b = xsimd::batch<T, A>;
    const auto inside = xsimd::abs(x) <= b(circle<T>::largest);
    if (xsimd::all(inside)) [[likely]] return near;
    return xsimd::select(inside, near, each_lane(far, x));
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> sin(const xsimd::batch<T, A>& x) {
    const quarters<T, A> q(x);
    const auto y = xsimd::select(q.odd, q.cosine(), q.sine());
    // The product with n loses the sign of a zero.
    const auto near = xsimd::select(x == xsimd::batch<T, A>(T(0)), x, xsimd::select(q.upper, -y, y));
    return of_angle(x, near, [](T v) { return std::sin(v); });
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cos(const xsimd::batch<T, A>& x) {
    const quarters<T, A> q(x);
    const auto y = xsimd::select(q.odd, q.sine(), q.cosine());
    return of_angle(x, xsimd::select((q.odd & ~q.upper) | (~q.odd & q.upper), -y, y), [](T v) { return std::cos(v); });
}

template <class T, class A> CROTON_INLINE xsimd::batch<T, A> tan(const xsimd::batch<T, A>& x) {
    const quarters<T, A> q(x);
    const auto s = q.sine(), c = q.cosine();
    const auto y = xsimd::select(q.odd, -c, s) / xsimd::select(q.odd, s, c);
    return of_angle(x, xsimd::select(x == xsimd::batch<T, A>(T(0)), x, y), [](T v) { return std::tan(v); });
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
