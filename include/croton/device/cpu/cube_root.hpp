// SPDX-License-Identifier: MIT
// cbrt of one SIMD register, within 1.1 units in the last place.
#ifndef CROTON_DEVICE_CPU_CUBE_ROOT_HPP
#define CROTON_DEVICE_CPU_CUBE_ROOT_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/math.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::simd::math {

/// Lines near one over the cube root, in pieces of equal length in their bits of the three octaves to which `cbrt_of_normal` moves all numbers: AVX-512 holds them in
/// registers. They are off by at most 3.9e-4 for float and 1.4e-3 for double, and then `terms` give the rest within 2^-31 and 2^-61.
template <class T> struct cube_root_table;
template <> struct cube_root_table<float> {
    static constexpr int exponent = 120, piece = 20;  // of the first octave, a multiple of 3 and of 4
    alignas(64) static constexpr float start[32] = {
        0x1.a5b862p+2f, 0x1.9651bp+2f, 0x1.88f366p+2f, 0x1.7d2fe8p+2f, 0x1.72b7e8p+2f, 0x1.695052p+2f, 0x1.60cc1p+2f, 0x1.590804p+2f, 0x1.4eb836p+2f,
        0x1.427ee4p+2f, 0x1.37e2ap+2f, 0x1.2e8c66p+2f, 0x1.263d48p+2f, 0x1.1ec662p+2f, 0x1.1803e8p+2f, 0x1.11d9fep+2f, 0x1.09aac8p+2f, 0x1.ffee14p+1f,
        0x1.ef1644p+1f, 0x1.e04406p+1f, 0x1.d3136ep+1f, 0x1.c73a1p+1f, 0x1.bc7f1cp+1f, 0x1.b2b654p+1f};
    alignas(64) static constexpr float slope[32] = {
        -0x1.8d380ap+7f, -0x1.565fd6p+7f, -0x1.2b8ac8p+7f, -0x1.0949p+7f, -0x1.dab03ap+6f, -0x1.ac5ab6p+6f, -0x1.856574p+6f, -0x1.643e68p+6f,
        -0x1.3b45d8p+6f, -0x1.0fbe22p+6f, -0x1.db7e52p+5f, -0x1.a51d2cp+5f, -0x1.78c2acp+5f, -0x1.53fc2ep+5f, -0x1.351066p+5f, -0x1.1ac038p+5f,
        -0x1.f476e6p+4f, -0x1.af5d5ap+4f, -0x1.79664p+4f, -0x1.4e3d06p+4f, -0x1.2b08f2p+4f, -0x1.0dd8a8p+4f, -0x1.ea9bcep+3f, -0x1.c0d6cap+3f};
    static constexpr float terms[] = {0.666667003f, 0.555555864f};
};
template <> struct cube_root_table<double> {
    static constexpr int exponent = 1020, piece = 50;
    alignas(64) static constexpr double start[16] = {
        0x1.48f28c302a733p+1, 0x1.336ddcf1c5d6bp+1, 0x1.22a697c3b9901p+1, 0x1.1509420e01244p+1, 0x1.0515f4b7ec0cbp+1, 0x1.e8036b93881dfp+0,
        0x1.cd611a8e30a25p+0, 0x1.b7c47ac6e9ef6p+0, 0x1.9e72a43d1393ep+0, 0x1.83562249ec5a6p+0, 0x1.6e326ebc1bf86p+0, 0x1.5d0b2f955272dp+0};
    alignas(64) static constexpr double slope[16] = {
        -0x1.25346914fc5a6p+2, -0x1.bffe8482bba21p+1, -0x1.66321b4c7f4c8p+1, -0x1.27cc37b5e9561p+1, -0x1.d16ef97c352aep+0, -0x1.6392bfd5ef644p+0,
        -0x1.1c4cd5e14793p+0, -0x1.d58cb3e4b6fe6p-1, -0x1.716a30f0b7909p-1, -0x1.1a37fa958839dp-1, -0x1.c34c5ff1fd2b2p-2, -0x1.74ae8927efa51p-2};
    static constexpr double terms[] = {0.666666666666666731, 0.555555555555555617, 0.493827160428145566, 0.45267489705639669, 0.42250656281488339, 0.399034114773490834};
};

/// The root of a normal number above 0, which is m 2^(3 q) with m of three octaves. r is nearly one over the root of m, and e, how far the cube of that times m is from 1,
/// the rest: y, m times its square, is (1 - e)^(2/3) of the root, and of what y was rounded by a third is left. No quotient is needed.
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cbrt_of_normal(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    using c = exp_constants<T>;
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using bits = xsimd::batch<word, A>;
    const bits all = xsimd::bitwise_cast<bits>(x);
    const auto ends = [](const b& m, const b& r, const auto& terms, const bits& third) CROTON_INLINED {
        const b y = m * (r * r), e = math::fnma(y, r, b(T(1)));
        return xsimd::bitwise_cast<b>(xsimd::bitwise_cast<bits>(math::fma(y * e, polynomial(e, terms), y)) + third);
    };
    if constexpr (has_avx512_words<A>) {
        using table = cube_root_table<T>;
        constexpr word first = word{table::exponent / 3} << c::mantissa;
        const bits third = (avx512<A>::third(all >> c::mantissa) << c::mantissa) - bits(first), left = all - third - (third + third), at = left >> table::piece;
        const b m = xsimd::bitwise_cast<b>(left);
        return ends(m, math::fma(m, avx512<A>::picked(table::slope, at), avx512<A>::picked(table::start, at)), table::terms, third);
    } else {
        constexpr T of_one = T(word{1} << c::mantissa);  // its last bits are a whole number
        constexpr word whole = word{c::bias + c::mantissa} << c::mantissa;
        const b exponent = xsimd::bitwise_cast<b>((all >> c::mantissa) | bits(whole)) - b(of_one + T(c::bias));
        // x with 3 q taken from its exponent is m, from 1 to 8, where a polynomial knows r to 3e-3.
        const b near = math::fms(exponent, b(T(1.0 / 3)), b(T(1.0 / 3))), counted = near + b(T(std::uint64_t{3} << (c::mantissa - 1)));
        const bits third = xsimd::bitwise_cast<bits>(counted) << c::mantissa;
        const b m = xsimd::bitwise_cast<b>(all - (third + third + third));
        constexpr T inverse[] = {T(1.4248992222808653), T(-0.59667328846062884), T(0.20382650988221686), T(-0.038611014842548681), T(0.0036960143368107338), T(-0.00013940263827424114)};
        if constexpr (sizeof(T) == 4) {
            constexpr T terms[] = {T(2.0 / 3), T(5.0 / 9), T(40.0 / 81)};
            return ends(m, polynomial(m, inverse), terms, third);
        } else {
            constexpr T terms[] = {T(0.66666666666666667), T(0.55555555555557736), T(0.49382716049384816), T(0.45267489498675907),
                                   T(0.42249656859111906), T(0.39907667820196368), T(0.38007357863063183)};
            return ends(m, polynomial(m, inverse), terms, third);
        }
    }
}
template <class T, class A> [[gnu::noinline]] xsimd::batch<T, A> cbrt_of_any(xsimd::batch<T, A> size) {
    using b = xsimd::batch<T, A>;
    const auto tiny = size < b(std::numeric_limits<T>::min());
    const b root = cbrt_of_normal(xsimd::select(tiny, size * b(T(0x1p54)), size)) * xsimd::select(tiny, b(T(0x1p-18)), b(T(1)));
    return xsimd::select((size == b(T(0))) | ~(size <= b(std::numeric_limits<T>::max())), size, root);
}
template <class T, class A> CROTON_INLINE xsimd::batch<T, A> cbrt(const xsimd::batch<T, A>& x) {
    using b = xsimd::batch<T, A>;
    const b size = xsimd::abs(x);
    b root;
    if (all_normal(size)) [[likely]] root = cbrt_of_normal(size);
    else root = cbrt_of_any(size);
    return root ^ xsimd::bitofsign(x);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
