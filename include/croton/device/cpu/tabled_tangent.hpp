// SPDX-License-Identifier: MIT
// tanh of float by tables that AVX-512 holds in registers: a series about a number near, with no exponential and no quotient.
#ifndef CROTON_DEVICE_CPU_TABLED_TANGENT_HPP
#define CROTON_DEVICE_CPU_TABLED_TANGENT_HPP

#include <croton/config.hpp>

#if CROTON_HAS_XSIMD

#include <croton/device/cpu/math.hpp>

#include <cstdint>

namespace croton::inline v0_1::simd::math {

/// tanh(middle + d) is c0 + c1 d + ... + c6 d^6 within 2^-27, for d in one of four pieces of each power of 2 from a quarter to 10, beyond which it is 1, and in one below
/// a quarter. `middle` is where tanh is nearest to a float, c0. A number finds its entry by the last five bits of its exponent and of the two bits behind.
struct tangent_table {
    static constexpr int piece = 21;
    static constexpr float least = 0x1.fffffep-3f, flat = 10.0f;
    alignas(64) static constexpr float middle[32] = {
        2.2495773f, 2.749523f, 3.2493773f, 3.7507064f, 4.500294f, 5.4985805f, 6.498972f, 7.5014305f, 8.997139f, 11.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.28121307f, 0.34375155f, 0.40618768f, 0.4688358f, 0.56240565f, 0.6874732f, 0.8123744f, 0.9374493f, 1.1253259f, 1.3747424f,
        1.625279f, 1.8746567f};
    alignas(64) static constexpr float c0[32] = {
        0.97800773f, 0.991852f, 0.9969939f, 0.998896f, 0.99975336f, 0.9999665f, 0.99999547f, 0.9999994f, 0.99999994f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.27402744f, 0.3308225f, 0.3852309f, 0.43725818f, 0.50976014f, 0.5963563f, 0.670898f, 0.7340481f, 0.8094135f, 0.8797685f,
        0.9253863f, 0.9540144f};
    alignas(64) static constexpr float c1[32] = {
        0.043500874f, 0.016229639f, 0.0060031647f, 0.002206776f, 0.00049323734f, 6.6995926e-05f, 9.06008e-06f, 1.2228559e-06f, 6.410541e-08f, 0.0f, 0.0f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.92490894f, 0.89055645f, 0.85159713f, 0.8088053f, 0.7401446f, 0.6443592f, 0.5498958f, 0.46117336f,
        0.3448498f, 0.2260074f, 0.14366017f, 0.08985648f};
    alignas(64) static constexpr float c2[32] = {
        -0.042544194f, -0.01609742f, -0.0059851226f, -0.0022043362f, -0.00049311284f, -6.6993154e-05f, -9.059975e-06f, -2.2175489e-06f, 4.5442266e-07f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, -1.5480288e-06f, -0.25345045f, -0.29461607f, -0.32806155f, -0.35365674f, -0.3772962f,
        -0.38426766f, -0.36892405f, -0.33852345f, -0.27912608f, -0.19883423f, -0.13294119f, -0.08572439f};
    alignas(64) static constexpr float c3[32] = {
        0.0271081f, 0.010556418f, 0.00396607f, 0.0014662308f, 0.0003282381f, 4.4611756e-05f, 6.0335024e-06f, 7.552452e-07f, 2.5699904e-08f, 0.0f, 0.0f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, -0.33325988f, -0.23885062f, -0.19938639f, -0.15748629f, -0.11496251f, -0.054384466f, 0.014373779f,
        0.06421172f, 0.094768025f, 0.11097902f, 0.099592745f, 0.07513527f, 0.05183029f};
    alignas(64) static constexpr float c4[32] = {
        -0.012331184f, -0.0051021883f, -0.001958514f, -0.0007300182f, -0.00016397874f, -2.2308355e-05f, -3.0173271e-06f, 1.0114804e-05f, -1.3805102e-06f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, -0.0012791512f, 0.14995529f, 0.16407825f, 0.17005493f, 0.16820951f, 0.15348074f, 0.119518906f,
        0.079904854f, 0.04328566f, 0.003215517f, -0.021331146f, -0.025208738f, -0.020870717f};
    alignas(64) static constexpr float c5[32] = {
        0.0040026726f, 0.0019107315f, 0.0007651028f, 0.00029221905f, 6.824122e-05f, 9.303937e-06f, 1.2588378e-06f, 3.9611368e-07f, 2.3827731e-08f, 0.0f, 0.0f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.14346807f, 0.05908833f, 0.0318034f, 0.005948762f, -0.017152067f, -0.043508157f, -0.061586503f,
        -0.06270836f, -0.05308202f, -0.032001942f, -0.009503186f, 0.0014315753f, 0.004605993f};
    alignas(64) static constexpr float c6[32] = {
        -0.00065230456f, -0.0005776759f, -0.00026507478f, -9.429186e-05f, -2.2605984e-05f, -3.0842923e-06f, -4.1785748e-07f, -2.7803373e-05f, 8.939537e-07f,
        0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, -0.037536964f, -0.085131936f, -0.013682671f, -0.08833083f, -0.09347603f, -0.036243457f,
        -0.011833032f, 0.005769174f, 0.015591664f, 0.018468274f, 0.010518325f, 0.0037457007f, 0.0005808199f};
};

template <class A> CROTON_INLINE xsimd::batch<float, A> tabled_tanh(const xsimd::batch<float, A>& x) {
    using b = xsimd::batch<float, A>;
    using t = tangent_table;
    // min returns its second operand where one is NaN.
    const b size = xsimd::min(b(t::flat), xsimd::abs(x));
    const auto at = xsimd::bitwise_cast<xsimd::batch<std::uint32_t, A>>(xsimd::max(b(t::least), size)) >> t::piece;
    const auto of = [&](const float (&table)[32]) CROTON_INLINED { return avx512<A>::picked(table, at); };
    const b d = size - of(t::middle);
    b y = math::fma(of(t::c6), d, of(t::c5));
    y = math::fma(y, d, of(t::c4));
    y = math::fma(y, d, of(t::c3));
    y = math::fma(y, d, of(t::c2));
    y = math::fma(y, d, of(t::c1));
    return math::fma(y, d, of(t::c0)) | xsimd::bitofsign(x);
}

}  // namespace croton::inline v0_1::simd::math

#endif

#endif
