// SPDX-License-Identifier: MIT
// Roots are the processor's, bit for bit: of float all mantissas and all exponents, of double what lies nearest to the middle of two numbers, and many others. Quotients within
// 0.6 units in the last place.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#if CROTON_HAS_XSIMD

namespace {

using namespace croton;

template <class T> std::int64_t wrong_roots(const std::vector<T>& of) {
    using batch = xsimd::batch<T>;
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i + batch::size <= of.size(); i += batch::size) {
        T found[batch::size];
        simd::math::sqrt(batch::load_unaligned(of.data() + i)).store_unaligned(found);
        for (std::size_t k = 0; k < batch::size; ++k) {
            const T exact = std::sqrt(of[i + k]);
            if (std::memcmp(&exact, &found[k], sizeof(T)) != 0 && !(exact != exact && found[k] != found[k]) && ++wrong == 1) FAIL_CHECK("root of " << of[i + k] << ": " << found[k]);
        }
    }
    return wrong;
}
template <class T> void odd_ones() {
    using l = std::numeric_limits<T>;
    std::vector<T> of;
    for (const T special : {T(0), T(-0.0), l::infinity(), -l::infinity(), l::quiet_NaN(), l::denorm_min(), l::min(), l::max(), T(-1), T(1), T(0x1p-70), T(0x1p-71)})
        for (std::size_t at = 0; at < 16; ++at)
            for (std::size_t k = 0; k < 16; ++k) of.push_back(k == at ? special : T(2) + T(k));
    CHECK(wrong_roots(of) == 0);
}

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

/// A root k of k^2 + k + d modulo 2^bits, with the given last bit: each bit follows from those below it, because the slope 2 k + 1 is odd.
wide lifted(std::int64_t d, int bits, unsigned last) {
    wide k = last;
    for (int i = 1; i < bits; ++i)
        if (((k * k + k + static_cast<wide>(d)) >> i & 1) != 0) k += wide{1} << i;
    return k;
}

#endif

template <class T> void quotients() {
    using batch = xsimd::batch<T>;
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> size(-20, 20);
    double most = 0;
    for (int i = 0; i < 200'000; ++i) {
        T a[batch::size], b[batch::size], q[batch::size];
        for (std::size_t k = 0; k < batch::size; ++k) {
            a[k] = static_cast<T>((k % 2 != 0 ? -1 : 1) * std::exp2(size(random)));
            b[k] = static_cast<T>(std::exp2(size(random)));
        }
        simd::math::ratio(batch::load_unaligned(a), batch::load_unaligned(b)).store_unaligned(q);
        for (std::size_t k = 0; k < batch::size; ++k) {
            const long double exact = static_cast<long double>(a[k]) / static_cast<long double>(b[k]);
            const T near = std::fabs(static_cast<T>(exact));
            const long double unit = static_cast<long double>(std::nextafter(near, std::numeric_limits<T>::infinity()) - near);
            most = std::max(most, static_cast<double>(std::fabs(static_cast<long double>(q[k]) - exact) / unit));
        }
    }
    CHECK(most <= 0.6);
}

}  // namespace

TEST_CASE("roots of floats") {
    std::vector<float> of(1 << 24);
    // 1 to 4: all mantissas, and both parities of the exponent.
    for (std::uint32_t i = 0; i < of.size(); ++i) {
        const std::uint32_t bits = 0x3F800000u + i;
        std::memcpy(&of[i], &bits, sizeof bits);
    }
    CHECK(wrong_roots(of) == 0);
    for (std::uint32_t i = 0; i < of.size(); ++i) {
        const std::uint32_t bits = i * 255u;
        std::memcpy(&of[i], &bits, sizeof bits);
    }
    CHECK(wrong_roots(of) == 0);
    odd_ones<float>();
}

TEST_CASE("roots of doubles") {
    std::vector<double> of;
#ifdef __SIZEOF_INT128__
    // (k + 1/2)^2 is 1/4 - d away from the integer k^2 + k + d, which is a number of 53 bits where it is a multiple of 2^52, or 2^53: the root lies so near to the middle of two numbers.
    for (std::int64_t d = -4096; d <= 4096; d += 2)
        for (const int bits : {52, 53})
            for (const unsigned last : {0u, 1u})
                for (wide k = lifted(d, bits, last); k >> 53 == 0; k += wide{1} << bits) {
                    const wide x = k * k + k + static_cast<wide>(d);
                    const int high = x >> 105 != 0 ? 53 : 52;
                    if (x >> 104 == 0 || high != bits) continue;
                    const double m = static_cast<double>(static_cast<std::uint64_t>(x >> bits));
                    of.push_back(bits == 52 ? m : 2 * m);
                    of.push_back(of.back() * 0x1p-600);
                }
    REQUIRE(of.size() > 8000);
    of.resize(of.size() + 16, 2.0);
    CHECK(wrong_roots(of) == 0);
#endif
    std::mt19937_64 random(5);
    of.resize(1 << 22);
    for (double& x : of) {
        const std::uint64_t bits = random() >> 1;
        std::memcpy(&x, &bits, sizeof bits);
    }
    CHECK(wrong_roots(of) == 0);
    odd_ones<double>();
}

TEST_CASE("quotients within 0.6 units in the last place") {
    quotients<float>();
    quotients<double>();
}

#else

TEST_CASE("roots and quotients are the compiler's where there is no xsimd") {}

#endif
