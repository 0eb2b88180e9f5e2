// SPDX-License-Identifier: MIT
// Random numbers on the host: which they are, where they are written, and their distributions at fixed seeds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/random/order.hpp>

using namespace croton;

namespace {

/// The largest distance of the distribution of the elements from `cdf`, times the root of their number.
template <class X, class F> double kolmogorov(const X& x, F cdf) {
    std::vector<double> v(x.begin(), x.end());
    std::sort(v.begin(), v.end());
    double most = 0;
    const double n = static_cast<double>(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double p = cdf(v[i]), k = static_cast<double>(i);
        most = std::max({most, p - k / n, (k + 1) / n - p});
    }
    return most * std::sqrt(n);
}
/// Exceeded by `kolmogorov` once in 1,000,000 seeds: so the test would hold with almost any others.
constexpr double rare = 2.69;
/// How probable such a distance or a larger one is.
double share_beyond(double distance) {
    double sum = 0;
    for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * k * k * distance * distance);
    return distance < 0.2 ? 1 : sum;
}
double normal_share(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// The mean and the variance, in standard errors of those of the distribution with these moments (kurtosis 3 + `excess`).
template <class T> bool has_moments(const array<T, 1>& x, double mean, double variance, double excess) {
    double sum = 0, squares = 0;
    for (const T e : x) sum += static_cast<double>(e) - mean, squares += (static_cast<double>(e) - mean) * (static_cast<double>(e) - mean);
    const double n = static_cast<double>(x.size());
    return std::abs(sum / n) < 4 * std::sqrt(variance / n) && std::abs(squares / n - variance) < 4 * variance * std::sqrt((2 + excess) / n);
}

template <class T> void check_distributions() {
    array<T, 1> x(100'003);
    random::uniform(x, 1);
    CHECK(kolmogorov(x, [](double v) { return v; }) < rare);
    CHECK(has_moments(x, 0.5, 1.0 / 12, -1.2));
    CHECK(*std::min_element(x.begin(), x.end()) >= T(0));
    CHECK(*std::max_element(x.begin(), x.end()) < T(1));
    random::uniform(x, 2, -3, 5);
    CHECK(kolmogorov(x, [](double v) { return (v + 3) / 8; }) < rare);
    random::normal(x, 3);
    CHECK(kolmogorov(x, normal_share) < rare);
    CHECK(has_moments(x, 0, 1, 0));
    random::normal(x, 4, 10, 0.5);
    CHECK(kolmogorov(x, [](double v) { return normal_share((v - 10) / 0.5); }) < rare);
    random::truncated_normal(x, 5, 1, 2);
    CHECK(kolmogorov(x, [](double v) { return (normal_share((v - 1) / 2) - normal_share(-2)) / (normal_share(2) - normal_share(-2)); }) < rare);
    CHECK(*std::min_element(x.begin(), x.end()) >= T(-3));
    CHECK(*std::max_element(x.begin(), x.end()) <= T(5));
    random::truncated_normal(x, 6, 0, 1, 3, 4);
    CHECK(kolmogorov(x, [](double v) { return (normal_share(-3) - normal_share(-v)) / (normal_share(-3) - normal_share(-4)); }) < rare);
    random::exponential(x, 7, 2);
    CHECK(kolmogorov(x, [](double v) { return -std::expm1(-2 * v); }) < rare);
    CHECK(has_moments(x, 0.5, 0.25, 6));
    random::gumbel(x, 8);
    CHECK(kolmogorov(x, [](double v) { return std::exp(-std::exp(-v)); }) < rare);
}

TEST_CASE("distributions of float") { check_distributions<float>(); }
TEST_CASE("distributions of double") { check_distributions<double>(); }

TEST_CASE("over 400 seeds, what the test of Kolmogorov and Smirnov finds is as probable as it says") {
    const auto check = [](auto number, auto fill, auto cdf) {
        array<decltype(number), 1> x(5000);
        std::vector<double> found;
        for (int seed = 0; seed < 400; ++seed) {
            fill(x, seed);
            found.push_back(share_beyond(kolmogorov(x, cdf)));
        }
        CHECK(kolmogorov(found, [](double p) { return p; }) < rare);
        CHECK(*std::min_element(found.begin(), found.end()) > 1e-6 / 400);
    };
    const auto uniform = [](auto& x, int seed) { random::uniform(x, seed); };
    const auto normal = [](auto& x, int seed) { random::normal(x, seed); };
    const auto same = [](double v) { return v; };
    check(0.0f, uniform, same);
    check(0.0, uniform, same);
    check(0.0f, normal, normal_share);
    check(0.0, normal, normal_share);
    check(0.0, [](auto& x, int seed) { random::truncated_normal(x, seed, 0, 1, 1, 3); },
          [](double v) { return (normal_share(-1) - normal_share(-v)) / (normal_share(-1) - normal_share(-3)); });
}

TEST_CASE("every element is that of its position, whatever the shape, the strides and the number of elements") {
    array<float, 1> x(1000);
    array<double, 1> y(1000);
    array<std::uint32_t, 1> w(1000);
    array<std::uint64_t, 1> v(1000);
    const random::stream_of s{99, 5, (std::uint64_t{3} << 32) | 7, 2};
    random::uniform(x, s);
    random::uniform(y, s);
    random::bits(w, s);
    random::bits(v, s);
    bool same = true;
    for (int i = 0; i < 1000; ++i) {
        const auto p = static_cast<std::uint64_t>(i);
        same = same && w(i) == random::random_word<std::uint32_t>(s, p) && v(i) == random::random_word<std::uint64_t>(s, p);
        same = same && x(i) == random::unit_number(w(i)) && y(i) == random::unit_number(v(i));
    }
    CHECK(same);

    array<float, 2> m(10, 13);
    random::uniform(m, s);
    CHECK(std::equal(m.begin(), m.end(), x.begin()));
    array<float, 2> columns(13, 20);
    columns.fill(-1);
    random::uniform(columns.slice(1, 1, 20, 2).transpose(), s);
    CHECK(columns.slice(1, 1, 20, 2).transpose() == m.as_view());
    CHECK(columns(0, 0) == -1);
    for (const int size : {0, 1, 63, 64, 65, 128}) {
        array<float, 1> few(size);
        random::uniform(few, s);
        CHECK(std::equal(few.begin(), few.end(), x.begin()));
    }
    array<double, 0> one;
    random::uniform(one, s);
    CHECK(one == y(0));
    std::vector<double> own(40);
    random::uniform(view(std::span(own)), s);
    CHECK(std::equal(own.begin(), own.end(), y.begin()));
}

TEST_CASE("normal numbers of chosen words and their tails") {
    // The word 0x7fffffff leaves 2^-33 of the distribution beyond, 0 and 0xffffffff are next to its middle. Quantiles are SciPy's.
    CHECK(kernel::made_of<float, kernel::law::normal>(0x7fffffffu) == doctest::Approx(6.33795775).epsilon(1e-6));
    CHECK(kernel::made_of<float, kernel::law::normal>(0x80000000u) == doctest::Approx(-6.33795775).epsilon(1e-6));
    CHECK(std::abs(kernel::made_of<float, kernel::law::normal>(0u)) < 1e-9);
    CHECK(kernel::made_of<float, kernel::law::normal>(0x7fffff80u) == doctest::Approx(5.42068284).epsilon(1e-6));
    CHECK(kernel::made_of<double, kernel::law::normal>(~std::uint64_t{0}) == doctest::Approx(8.2095361516).epsilon(1e-9));

    // Of all 2^32 words, as many give a number beyond as the distribution has there.
    for (const double beyond : {1.0, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0}) {
        std::uint32_t last_inside = 0, first_beyond = 0x7fffffffu;
        while (first_beyond - last_inside > 1) {
            const std::uint32_t middle = last_inside + (first_beyond - last_inside) / 2;
            (kernel::made_of<float, kernel::law::normal>(middle) > beyond ? first_beyond : last_inside) = middle;
        }
        const double count = 0x80000000u - first_beyond, expected = normal_share(-beyond) * 0x1p32;
        CAPTURE(beyond);
        CHECK(std::abs(count - expected) < 1 + 1e-5 * expected);
        const double word = std::ldexp(1 - 2 * normal_share(-beyond), 51);
        const auto at = static_cast<std::uint64_t>(word + 0x1p51) << 12;
        CHECK(kernel::made_of<double, kernel::law::normal>(at) == doctest::Approx(beyond).epsilon(1e-6));
    }

    array<float, 1> x(4'000'000);
    random::normal(x, 12);
    for (const double beyond : {3.0, 4.0, 4.5, 5.0}) {
        const double expected = 2 * normal_share(-beyond) * 4e6;
        const auto count = static_cast<double>(std::count_if(x.begin(), x.end(), [&](float v) { return std::abs(v) > beyond; }));
        CHECK(std::abs(count - expected) < 4 * std::sqrt(expected));
    }
    // These calls have some of the ten words at the ends there.
    array<float, 1> ends(128);
    random::normal(ends, {1, 0, 8037004});
    CHECK(ends(18) == doctest::Approx(6.030967).epsilon(1e-6));
    random::normal(ends, {1, 0, 8344833});
    CHECK(ends(77) == doctest::Approx(-6.0851045).epsilon(1e-6));
    random::normal(ends, {1, 0, 10000902});
    CHECK(ends(116) == doctest::Approx(6.1664295).epsilon(1e-6));
}

TEST_CASE("whole numbers: every one as often, and the bounds") {
    array<int, 1> x(100'000);
    random::randint(x, 5, -3, 14);
    std::vector<double> count(17);
    for (const int v : x) count.at(static_cast<std::size_t>(v + 3)) += 1;
    double chi = 0;
    for (const double c : count) chi += (c - 1e5 / 17) * (c - 1e5 / 17) / (1e5 / 17);
    CHECK(chi < 39.3);  // once in 1000 seeds with 16 degrees of freedom
    CHECK(chi > 3.9);

    array<std::int8_t, 1> small(5000);
    random::randint(small, 6, -128, 127);
    CHECK(*std::min_element(small.begin(), small.end()) == -128);
    CHECK(*std::max_element(small.begin(), small.end()) == 126);
    array<std::uint64_t, 1> large(5000);
    random::randint(large, 7, 10, ~std::uint64_t{0});
    CHECK(*std::max_element(large.begin(), large.end()) > ~std::uint64_t{0} / 1000 * 998);
    CHECK(*std::min_element(large.begin(), large.end()) >= 10);
    CHECK_THROWS_WITH_AS(random::randint(x, 5, 3, 3), "random::randint: the lower bound is not below the upper one", value_error);
    CHECK_THROWS_AS(random::uniform(array<float, 1>(3), 5, 1, 1), value_error);
    CHECK_THROWS_AS(random::exponential(array<float, 1>(3), 5, 0), value_error);
}

TEST_CASE("bernoulli") {
    array<bool, 1> x(100'000);
    random::bernoulli(x, 1, 0.3);
    CHECK(std::abs(static_cast<double>(std::count(x.begin(), x.end(), true)) - 30'000) < 4 * std::sqrt(100'000 * 0.21));
    array<float, 1> y(200);
    random::bernoulli(y, 1, 1);
    CHECK(std::count(y.begin(), y.end(), 1.0f) == 200);
    random::bernoulli(y, 1, 0);
    CHECK(std::count(y.begin(), y.end(), 0.0f) == 200);
    CHECK_THROWS_AS(random::bernoulli(y, 1, 1.5), value_error);
}

TEST_CASE("numbers of 16 bits are those of float, rounded, and never the upper bound") {
    array<half, 1> h(100'000);
    array<float, 1> f(100'000);
    random::uniform(h, 4);
    random::uniform(f, 4);
    bool same = true;
    for (int i = 0; i < h.size(); ++i) same = same && (h(i) == half(f(i)) || (half(f(i)) == half(1) && h(i) == half(0.99951171875f)));
    CHECK(same);
    array<bfloat16, 1> b(10'000);
    random::uniform(b, 4, -1, 0);
    CHECK(*std::max_element(b.begin(), b.end()) < bfloat16(0));
    random::normal(h, 4);
    random::normal(f, 4);
    same = true;
    for (int i = 0; i < h.size(); ++i) same = same && h(i) == half(f(i));
    CHECK(same);
}

TEST_CASE("neighbouring seeds, streams, calls and positions are not correlated") {
    constexpr int size = 40'000;
    std::vector<array<float, 1>> all;
    for (const random::stream_of& s : {random::stream_of(1), random::stream_of(2), random::stream_of(1, 1), random::stream_of(1, 0, 1), random::stream_of(1, 0, 0, 1)}) {
        all.emplace_back(size + 64);
        random::normal(all.back(), s);
    }
    const auto correlation = [](const float* a, const float* b) { return std::inner_product(a, a + size, b, 0.0) / std::sqrt(double{size}); };
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = i; k < all.size(); ++k)
            for (const int lag : {0, 1, 16, 64})
                if (i != k || lag != 0) CHECK(std::abs(correlation(all[i].data(), all[k].data() + lag)) < 4);
}

TEST_CASE("orders") {
    const array<std::int64_t, 1> order = random::permutation(1000, 3);
    array<std::int64_t, 1> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < 1000; ++i) CHECK(sorted(i) == i);
    CHECK(order == random::permutation(1000, 3));
    CHECK(!(order == random::permutation(1000, 4)));
    CHECK(random::permutation(0, 3).size() == 0);
    CHECK(random::permutation(1, 3)(0) == 0);

    array<float, 2> rows(1000, 3);
    array<int, 1> labels(1000);
    std::iota(labels.begin(), labels.end(), 0);
    for (int i = 0; i < 1000; ++i) rows(i, 1) = static_cast<float>(i);
    random::shuffle(rows, 3);
    random::shuffle(labels, 3);
    bool same = true;
    for (int i = 0; i < 1000; ++i) same = same && labels(i) == order(i) && rows(i, 1) == static_cast<float>(order(i));
    CHECK(same);

    // Each of the 24 orders of four as often.
    double count[256] = {};
    for (int seed = 0; seed < 24'000; ++seed) {
        const auto p = random::permutation(4, seed);
        count[p(0) * 64 + p(1) * 16 + p(2) * 4 + p(3)] += 1;
    }
    double chi = 0;
    for (const double c : count) chi += c > 0 ? (c - 1000) * (c - 1000) / 1000 : 0;
    CHECK(chi < 49.7);  // once in 1000 with 23 degrees of freedom
    CHECK(std::count(std::begin(count), std::end(count), 0.0) == 256 - 24);
}

}  // namespace
