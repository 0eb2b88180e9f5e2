// SPDX-License-Identifier: MIT
// N numbers or N truth values in SIMD registers: their forms, and what is chosen by them.
#ifndef CROTON_DEVICE_CPU_MASKS_HPP
#define CROTON_DEVICE_CPU_MASKS_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/avx512.hpp>
#include <croton/device/cpu/integers.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::simd {

/// The instruction set this translation unit is compiled for. It is part of the type of everything that depends on it.
using native = xsimd::default_arch;

/// `N` numbers: one register, or two where another type of the kernel has half the size.
template <class T, int N, class A = native> struct pack {
    using batch = xsimd::batch<T, A>;
    static constexpr std::size_t width = batch::size;
    static constexpr std::size_t parts = N / width;
    static_assert(parts == 1 || parts == 2);
    batch part[parts];
};

/// `N` truth values in the form that comparing `pack<T, N>` yields.
template <class T, int N, class A = native> struct mask {
    using batch = xsimd::batch_bool<T, A>;
    static constexpr std::size_t width = pack<T, N, A>::width;
    static constexpr std::size_t parts = N / width;
    batch part[parts];
};

namespace detail {

template <class Result, class F, class First, class... More>
CROTON_INLINE Result each(F f, const First& first, const More&... more) {
    if constexpr (First::parts == 1) return {{f(first.part[0], more.part[0]...)}};
    else return {{f(first.part[0], more.part[0]...), f(first.part[1], more.part[1]...)}};
}

template <class T, int N, class A> CROTON_INLINE std::uint32_t bits_of(const mask<T, N, A>& m) {
    std::uint32_t bits = static_cast<std::uint32_t>(m.part[0].data);
    if constexpr (mask<T, N, A>::parts == 2) bits |= static_cast<std::uint32_t>(m.part[1].data) << m.width;
    return bits;
}
template <class M> CROTON_INLINE M from_bits(std::uint32_t bits) {
    using reg = typename M::batch::register_type;
    if constexpr (M::parts == 1) return {{typename M::batch(static_cast<reg>(bits))}};
    else return {{typename M::batch(static_cast<reg>(bits)), typename M::batch(static_cast<reg>(bits >> M::width))}};
}

template <class T, int N, class A> CROTON_INLINE void spill(const mask<T, N, A>& m, bool* out) {
    for (std::size_t i = 0; i < m.parts; ++i) m.part[i].store_unaligned(out + i * m.width);
}
template <class M> CROTON_INLINE M fill_mask(const bool* in) {
    M m;
    for (std::size_t i = 0; i < M::parts; ++i) m.part[i] = M::batch::load_unaligned(in + i * M::width);
    return m;
}

}  // namespace detail

/// The same truth values in the form of another element type.
template <class U, class T, int N, class A> CROTON_INLINE mask<U, N, A> mask_cast(const mask<T, N, A>& m) {
    if constexpr (std::is_same_v<T, U>) {
        return m;
    } else if constexpr (has_avx512<A>) {
        return detail::from_bits<mask<U, N, A>>(detail::bits_of(m));
    } else if constexpr (sizeof(T) == sizeof(U)) {
        return detail::each<mask<U, N, A>>([](const auto& p) CROTON_INLINED { return xsimd::bool_cast(p); }, m);
    } else {
        // A lane is all ones or zeros: a number, of which the other form has the lower half, or repeats its sign.
        integers<signed_of<sizeof(T)>, N, A> numbers;
        for (std::size_t i = 0; i < m.parts; ++i) numbers.part[i].data = __builtin_bit_cast(typename decltype(numbers)::batch::vector, m.part[i].data);
        const auto other = resized<signed_of<sizeof(U)>>(numbers);
        mask<U, N, A> result;
        using batch = typename mask<U, N, A>::batch;
        for (std::size_t i = 0; i < result.parts; ++i) result.part[i] = batch(__builtin_bit_cast(typename batch::register_type, other.part[i].data));
        return result;
    }
}

/// `condition ? a : b` in each lane.
template <class M, class T, int N, class A>
CROTON_INLINE pack<T, N, A> select(const mask<M, N, A>& condition, const pack<T, N, A>& a, const pack<T, N, A>& b) {
    return detail::each<pack<T, N, A>>(
        [](const auto& c, const auto& x, const auto& y) CROTON_INLINED { return xsimd::select(c, x, y); }, mask_cast<T>(condition), a, b);
}
template <class M, class T, int N, class A>
CROTON_INLINE mask<T, N, A> select(const mask<M, N, A>& condition, const mask<T, N, A>& a, const mask<T, N, A>& b) {
    return detail::each<mask<T, N, A>>([](const auto& c, const auto& x, const auto& y) CROTON_INLINED { return (c & x) | (~c & y); },
                                       mask_cast<T>(condition), a, b);
}
template <class M, class T, class U, int N, class A>
CROTON_INLINE mask<T, N, A> select(const mask<M, N, A>& condition, const mask<T, N, A>& a, const mask<U, N, A>& b) {
    return select(condition, a, mask_cast<T>(b));
}

}  // namespace croton::inline v0_1::simd

#endif

#endif
