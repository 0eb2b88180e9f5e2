// SPDX-License-Identifier: MIT
// Lanes of integers beside those of floats, doubles, ints and int64: conversion, choice, and truth values of either form.
#ifndef CROTON_DEVICE_CPU_MIXED_HPP
#define CROTON_DEVICE_CPU_MIXED_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/integers.hpp>
#include <croton/device/cpu/pack.hpp>

namespace croton::inline v0_1::simd {

/// The numbers of a pack as vectors of the compiler.
template <class T, int N, class A> CROTON_INLINE integers<T, N, A> as_vectors(const pack<T, N, A>& v) {
    integers<T, N, A> result;
    for (std::size_t i = 0; i < v.parts; ++i) result.part[i].data = __builtin_bit_cast(typename integers<T, N, A>::batch::vector, v.part[i].data);
    return result;
}
template <class T, int N, class A> CROTON_INLINE pack<T, N, A> as_pack(const integers<T, N, A>& v) {
    pack<T, N, A> result;
    for (std::size_t i = 0; i < v.parts; ++i) result.part[i] = typename pack<T, N, A>::batch(__builtin_bit_cast(typename pack<T, N, A>::batch::register_type, v.part[i].data));
    return result;
}

/// Truth values in the form of `pack<M, N>`, and back.
template <class M, class I, int N, class A> CROTON_INLINE mask<M, N, A> as_mask(const flags<I, N, A>& v) {
    using J = signed_of<sizeof(M)>;
    const pack<J, N, A> wide = as_pack(static_cast<const integers<J, N, A>&>(flags_cast<J>(v)));
    return mask_cast<M>(wide != pack_lanes<N, A>::template broadcast<J>(J(0)));
}
template <class M, int N, class A> CROTON_INLINE auto as_flags(const mask<M, N, A>& v) {
    using J = signed_of<sizeof(M)>;
    using lanes = pack_lanes<N, A>;
    return flags<J, N, A>{as_vectors(select(v, lanes::template broadcast<J>(J(1)), lanes::template broadcast<J>(J(0))))};
}

template <class M, class T, int N, class A>
CROTON_INLINE integers<T, N, A> select(const mask<M, N, A>& condition, const integers<T, N, A>& a, const integers<T, N, A>& b) {
    return select(as_flags(condition), a, b);
}
template <class I, class T, int N, class A>
CROTON_INLINE pack<T, N, A> select(const flags<I, N, A>& condition, const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return select(as_mask<T>(condition), a, b);
}

/// Floating-point numbers as integers, as `kernel::to_integer` has it.
template <class T, class U, int N, class A> CROTON_INLINE integers<T, N, A> cut_off(const pack<U, N, A>& v) {
    if constexpr (sizeof(T) <= 2 && CROTON_HAS_SSE2 != 0 && std::is_same_v<U, float>) {
        // x86 makes the lowest int32 of what is beyond all of them, and of NaN: its lower bits are 0.
        return resized<T>(as_vectors(detail::each<pack<std::int32_t, N, A>>([](const auto& part) CROTON_INLINED { return xsimd::to_int(part); }, v)));
    } else if constexpr (sizeof(T) <= 2) {
        const auto limit = pack_lanes<N, A>::template broadcast<U>(U(2147483648.0));
        const auto inside = as_vectors(select(abs(v) < limit, v, pack_lanes<N, A>::template broadcast<U>(U(0))));
        return resized<T>(resized<std::int32_t>(inside));
    } else {
        U from[N];
        T to[N];
        as_vectors(v).store(from);
        for (int i = 0; i < N; ++i) to[i] = kernel::to_integer<T>(from[i]);
        return integers<T, N, A>::load(to);
    }
}

/// Functions of numbers that take no lanes.
template <class F, class T, int N, class A, class... More> CROTON_INLINE auto each_number(F f, const integers<T, N, A>& a, const More&... more) {
    if constexpr (std::is_same_v<decltype(f(T(), typename More::batch::value_type()...)), bool>)
        return detail::each_integer([&](auto... x) { return static_cast<T>(f(x...) ? 1 : 0); }, a, more...) != integers<T, N, A>::all(T(0));
    else return detail::each_integer(f, a, more...);
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
