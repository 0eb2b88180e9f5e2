// SPDX-License-Identifier: MIT
// The lanes of SIMD registers combined to one number, or those of two registers at once to two.
#ifndef CROTON_DEVICE_CPU_FOLD_HPP
#define CROTON_DEVICE_CPU_FOLD_HPP

#include <croton/device/cpu/pack.hpp>

#if CROTON_HAS_XSIMD

#include <cstddef>
#include <utility>

namespace croton::inline v0_1::simd {

namespace detail {

/// The lanes of `a` and `b`, one after the other, that `I` name.
template <class T, class A, int... I> CROTON_INLINE xsimd::batch<T, A> lanes_of(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, std::integer_sequence<int, I...>) {
    using reg = typename xsimd::batch<T, A>::register_type;
    typedef T vector __attribute__((vector_size(sizeof(reg))));
    return xsimd::batch<T, A>(reinterpret_cast<reg>(__builtin_shufflevector(reinterpret_cast<vector>(a.data), reinterpret_cast<vector>(b.data), I...)));
}
template <int Distance, class T, class A, int... I>
CROTON_INLINE xsimd::batch<T, A> exchange(const xsimd::batch<T, A>& v, std::integer_sequence<int, I...>) {
    return lanes_of(v, v, std::integer_sequence<int, (I ^ Distance)...>{});
}
/// One half of the lanes of `a` and behind it that of `b`.
template <bool Second, class T, class A, int... I>
CROTON_INLINE xsimd::batch<T, A> halves(const xsimd::batch<T, A>& a, const xsimd::batch<T, A>& b, std::integer_sequence<int, I...>) {
    constexpr int width = sizeof...(I), half = width / 2;
    return lanes_of(a, b, std::integer_sequence<int, (I % half + (Second ? half : 0) + (I < half ? 0 : width))...>{});
}

template <class Reduction, int Distance, class T, int N, class A>
CROTON_INLINE pack<T, N, A> fold_register(const pack<T, N, A>& v) {
    if constexpr (Distance == 0) {
        return v;
    } else {
        const pack<T, N, A> other{{exchange<Distance>(v.part[0], std::make_integer_sequence<int, N>{})}};
        return fold_register<Reduction, Distance / 2>(Reduction::combine(v, other));
    }
}
/// One register: the parts combined.
template <class Reduction, class T, int N, class A> CROTON_INLINE auto fold_parts(const pack<T, N, A>& v) {
    using one = pack<T, pack<T, N, A>::width, A>;
    if constexpr (pack<T, N, A>::parts == 2) return Reduction::combine(one{{v.part[0]}}, one{{v.part[1]}});
    else return one{{v.part[0]}};
}

}  // namespace detail

/// Combines the lanes, in an order that depends on their number only.
template <class Reduction, class T, int N, class A> CROTON_INLINE T fold(const pack<T, N, A>& v) {
    return detail::fold_register<Reduction, pack<T, N, A>::width / 2>(detail::fold_parts<Reduction>(v)).part[0].get(0);
}
template <class Reduction, class T, int N, class A> CROTON_INLINE bool fold(const mask<T, N, A>& v) {
    bool lanes[std::size_t{N}];
    detail::spill(v, lanes);
    for (int i = 1; i < N; ++i) lanes[0] = Reduction::combine(lanes[0], lanes[i]);
    return lanes[0];
}
/// The same of two, with fewer steps: after the first one both are in one register.
template <class Reduction, class T, int N, class A>
    requires(pack<T, N, A>::width > 1)
CROTON_INLINE std::pair<T, T> fold_two(const pack<T, N, A>& v, const pack<T, N, A>& w) {
    using one = pack<T, pack<T, N, A>::width, A>;
    constexpr std::make_integer_sequence<int, one::width> lanes{};
    const one a = detail::fold_parts<Reduction>(v), b = detail::fold_parts<Reduction>(w);
    const one first{{detail::halves<false>(a.part[0], b.part[0], lanes)}}, second{{detail::halves<true>(a.part[0], b.part[0], lanes)}};
    const one both = detail::fold_register<Reduction, one::width / 4>(Reduction::combine(first, second));
    return {both.part[0].get(0), both.part[0].get(one::width / 2)};
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
