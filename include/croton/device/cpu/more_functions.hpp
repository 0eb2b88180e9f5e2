// SPDX-License-Identifier: MIT
// Functions of packs that go number by number, and those on the bits of numbers.
#ifndef CROTON_DEVICE_CPU_MORE_FUNCTIONS_HPP
#define CROTON_DEVICE_CPU_MORE_FUNCTIONS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/functions.hpp>
#include <croton/device/cpu/gamma.hpp>
#include <croton/device/cpu/shifts.hpp>
#include <croton/kernel/special.hpp>

#include <cmath>

namespace croton::inline v0_1::simd {

template <class T, int N, class A> CROTON_INLINE pack<T, N, A> copysign(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return xsimd::copysign(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> nextafter(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return math::nextafter(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE bool in_any_lane(const mask<T, N, A>& a) {
    bool any = false;
    for (const auto& part : a.part) any = any || xsimd::any(part);
    return any;
}
/// log(x / (1 - x)).
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> log_odds(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::log_odds(x); }, a);
}
template <int N, class A> [[gnu::noinline]] pack<double, N, A> rare_inverse_erf(const pack<double, N, A>& a) { return kernel::inverse_erf(a); }
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> inverse_erf(const pack<T, N, A>& a) {
    if constexpr (sizeof(T) == 8 && has_avx512<A>) {
        using P = pack<T, N, A>;
        const P rest = detail::each<P>([](const auto& x) CROTON_INLINED { return math::fnma(x, x, xsimd::batch<T, A>(T(1))); }, a);
        const P y = detail::each<P>([](const auto& x, const auto& r) CROTON_INLINED { return math::tabled_inverse_erf(x, r); }, a, rest);
        const auto inside = rest > kernel::constant<P>(math::inverse_erf_table::least);
        if (!in_any_lane(!inside)) [[likely]] return y;
        return select(inside, y, rare_inverse_erf(a));
    } else {
        return kernel::inverse_erf(a);
    }
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> digamma(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::digamma(x); }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> polygamma(const pack<T, N, A>& n, const pack<T, N, A>& a) {
    return each_number([](T order, T x) { return kernel::polygamma(order, x); }, n, a);
}

template <class T, int N, class A> CROTON_INLINE pack<T, N, A> lgamma(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return math::lgamma(x); }, a);
}

/// @name Bits of integers
/// @{
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator&(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x & y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator|(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x | y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator^(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>([](const auto& x, const auto& y) CROTON_INLINED { return x ^ y; }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> operator~(const pack<T, N, A>& a) {
    return detail::each<pack<T, N, A>>([](const auto& x) CROTON_INLINED { return ~x; }, a);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> shifted_left(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return each_vector([](const auto& x, const auto& y) CROTON_INLINED { return vector_shifted_left<T, pack<T, N, A>::width>(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> shifted_right(const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return each_vector([](const auto& x, const auto& y) CROTON_INLINED { return vector_shifted_right<T, pack<T, N, A>::width>(x, y); }, a, b);
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> counted_bits(const pack<T, N, A>& a) {
    return each_vector([](const auto& x, const auto&) CROTON_INLINED { return vector_counted_bits<T, pack<T, N, A>::width>(x); }, a, a);
}
/// @}

}  // namespace croton::inline v0_1::simd

#endif

#endif
