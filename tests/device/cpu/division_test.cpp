// SPDX-License-Identifier: MIT
// Roots, and quotients of double, are the processor's, bit for bit: of float all mantissas and all exponents, of double what lies nearest to the middle of two numbers, and many
// others. Quotients on the way of functions are within 0.6 units in the last place.
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

#if CROTON_HAS_AVX512

using doubles = xsimd::batch<double>;

/// Quotients that are not the processor's, of pairs of numbers.
template <class A> std::int64_t wrong_quotients(const std::vector<double>& a, const std::vector<double>& b) {
    std::int64_t wrong = 0;
    if constexpr (simd::math::divides_by_products<double, A>)
        for (std::size_t i = 0; i + doubles::size <= a.size(); i += doubles::size) {
            double found[doubles::size];
            simd::math::quotient(doubles::load_unaligned(a.data() + i), doubles::load_unaligned(b.data() + i)).store_unaligned(found);
            for (std::size_t k = 0; k < doubles::size; ++k) {
                const double exact = a[i + k] / b[i + k];
                if (std::memcmp(&exact, &found[k], sizeof exact) != 0 && !(exact != exact && found[k] != found[k]) && ++wrong == 1) FAIL_CHECK(a[i + k] << " / " << b[i + k] << ": " << found[k]);
            }
        }
    return wrong;
}

#ifdef __SIZEOF_INT128__

/// Appends the quotients by the odd mantissa `of`, of 53 bits, that differ from the middle m of two numbers by as little as there can be: a 2^s = of m + d, where d is 1 or -1.
void append_nearest(std::uint64_t of, std::vector<double>& a, std::vector<double>& b) {
    std::uint64_t inverse = of;  // modulo 2^64: of 3 bits first, and of twice as many by each turn
    for (int i = 0; i < 5; ++i) inverse *= 2 - of * inverse;
    for (const int s : {53, 54})
        for (const int d : {1, -1}) {
            const std::uint64_t below = std::uint64_t{1} << s, low = (d == 1 ? 0 - inverse : inverse) & (below - 1);
            const std::uint64_t middle = s == 53 ? low | below : low;  // of 54 bits
            const wide over = static_cast<wide>(of) * middle + static_cast<wide>(static_cast<std::int64_t>(d));
            const wide found = over >> s;
            if (middle >> 53 != 1 || found >> 52 != 1) continue;
            a.push_back(static_cast<double>(static_cast<std::uint64_t>(found)));
            b.push_back(static_cast<double>(of));
        }
}

#endif
#endif

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

#if CROTON_HAS_AVX512

TEST_CASE("quotients of doubles by products are those of the processor") {
    using l = std::numeric_limits<double>;
    std::mt19937_64 random(7);
    std::vector<double> a, b;
    const auto check = [&] {
        a.resize(a.size() + doubles::size, 3.0);
        b.resize(b.size() + doubles::size, -2.0);
        CHECK(wrong_quotients<xsimd::default_arch>(a, b) == 0);
        a.clear();
        b.clear();
    };
#ifdef __SIZEOF_INT128__
    // Mantissas at both ends, where an inverse by products is as far from the exact one as it ever is, and others.
    constexpr std::uint64_t first = std::uint64_t{1} << 52;
    for (std::uint64_t i = 0; i < 500'000; ++i) {
        append_nearest(2 * first - 1 - 2 * i, a, b);
        append_nearest(first + 1 + 2 * i, a, b);
        append_nearest(first | random() >> 12 | 1, a, b);
    }
    REQUIRE(a.size() > 1'000'000);
    check();
#endif
    for (int i = 0; i < 1'000'000; ++i) {
        // Of any exponents, of those for which products do, and 1 over them.
        const bool middle = i % 3 != 0;
        const auto drawn = [&] {
            const std::uint64_t bits = random(), exponent = middle ? 1023 - 400 + (bits >> 52) % 800 : bits >> 52 & 0x7ff;
            const std::uint64_t made = (bits & 0x800fffffffffffff) | exponent << 52;
            double x = 0;
            std::memcpy(&x, &made, sizeof x);
            return x;
        };
        a.push_back(i % 3 == 2 ? 1.0 : drawn());
        b.push_back(drawn());
    }
    check();
    const double specials[] = {0.0, -0.0, l::infinity(), -l::infinity(), l::quiet_NaN(), l::denorm_min(), l::min(), l::max(), -1.0, 0x1p-500, 0x1p500, std::nextafter(0x1p-500, 0.0), 0x1.fffffffffffffp0, 0x1p-511, 0x1p511};
    for (const double x : specials)
        for (const double y : specials)
            for (std::size_t at = 0; at < doubles::size; ++at)
                for (std::size_t k = 0; k < doubles::size; ++k) {
                    a.push_back(k == at ? x : 2 + static_cast<double>(k));
                    b.push_back(k == at ? y : 3);
                }
    check();
}

TEST_CASE("loops of quotients of double divide by products, and tails as well") {
    const auto f = function<cpu>([](vector<double> x, vector<double> y) { return x / y; });
    const auto g = function<cpu>([](vector<double> x) { return reciprocal(x); });
    for (const std::int64_t n : {1, 7, 8, 1003}) {
        array<double, 1> x(n), y(n);
        for (std::int64_t i = 0; i < n; ++i) {
            x(i) = 0.1 * static_cast<double>(i - 3);
            y(i) = 0.3 * static_cast<double>(i + 1);
        }
        const array<double, 1> ratio = f(x, y), inverse = g(y);
        bool same = true;
        for (std::int64_t i = 0; i < n; ++i) same = same && ratio(i) == x(i) / y(i) && inverse(i) == 1 / y(i);
        CHECK(same);
    }
    using quotient = kernel::apply<op::divide, kernel::e<0, double>, kernel::e<1, double>>;
    using elements = kernel::block<kernel::load<double, 0>, kernel::load<double, 1>, quotient, kernel::store<double, 2, kernel::e<2, double>>>;
    using with_exp = kernel::block<kernel::load<double, 0>, kernel::load<double, 1>, quotient, kernel::apply<op::exp, kernel::e<2, double>>, kernel::store<double, 2, kernel::e<3, double>>>;
    CHECK(detail::cpu_device::waits_for_divider(elements{}));
    CHECK(!detail::cpu_device::waits_for_divider(with_exp{}));
}

#endif

#else

TEST_CASE("roots and quotients are the compiler's where there is no xsimd") {}

#endif
