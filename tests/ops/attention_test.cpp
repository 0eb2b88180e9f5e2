// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

/// The definition, in double: what is asked at `t` sees the key at `s` where `sees(t, s)`.
template <class Q, class K, class V, class Sees> double told(const Q& q, const K& k, const V& v, int t, int e, Sees sees) {
    const auto d = static_cast<int>(q.extent(1)), keys = static_cast<int>(k.extent(0));
    double sum = 0, value = 0;
    for (int s = 0; s < keys; ++s) {
        if (!sees(t, s)) continue;
        double fit = 0;
        for (int i = 0; i < d; ++i) fit += static_cast<double>(q(t, i)) * static_cast<double>(k(s, i));
        const double odds = std::exp(fit / std::sqrt(static_cast<double>(d)));
        sum += odds;
        value += odds * static_cast<double>(v(s, e));
    }
    return value / sum;
}
inline constexpr auto every = [](int, int) { return true; };
inline constexpr auto before = [](int t, int s) { return s <= t; };

template <class Y, class Q, class K, class V, class Sees> int wrong(const Y& y, const Q& q, const K& k, const V& v, Sees sees) {
    int count = y.extent(0) == q.extent(0) && y.extent(1) == v.extent(1) ? 0 : 1;
    for (int t = 0; t < static_cast<int>(y.extent(0)); ++t)
        for (int e = 0; e < static_cast<int>(y.extent(1)); ++e) count += std::abs(static_cast<double>(y(t, e)) - told(q, k, v, t, e, sees)) < 1e-5 ? 0 : 1;
    return count;
}

template <class T, class... E> auto drawn(std::uint64_t seed, E... extents) {
    array<T, sizeof...(E)> x(extents...);
    random::uniform(x, seed, -2, 2);
    return x;
}

inline constexpr auto plain = [](matrix<float> q, matrix<float> k, matrix<float> v) {
    return std::tuple(attention(q, k, v), attention(q, k, v, {.causal = true}));
};
inline constexpr auto by_mask = [](matrix<double> q, matrix<double> k, matrix<double> v, matrix<bool> mask) { return attention(q, k, v, mask); };
inline constexpr auto of_batches = [](tensor<float, dynamic, dynamic, dynamic, dynamic> q, tensor<float, dynamic, dynamic, dynamic, dynamic> k,
                                      matrix<float> v) { return attention(q, k, v, {.causal = true}); };
inline constexpr auto slopes = [](tensor<float, dynamic, 5, 4> q, tensor<float, dynamic, 5, 4> k, tensor<float, dynamic, 5, 3> v) {
    return grad(sum(sqr(attention(q, k, v, {.causal = true}))), q, k, v);
};

}  // namespace

TEST_CASE("attention is a mean of values by likeness, of views and of one element too") {
    auto f = function<cpu>(plain);
    const auto check = [&](const auto& q, const auto& k, const auto& v) {
        const auto [y, causal] = f(q, k, v);
        CHECK(wrong(y, q, k, v, every) == 0);
        CHECK(wrong(causal, q, k, v, before) == 0);
    };
    check(drawn<float>(1, 7, 5), drawn<float>(2, 7, 5), drawn<float>(3, 7, 6));
    check(drawn<float>(1, 7, 5), drawn<float>(2, 3, 5), drawn<float>(3, 3, 1));
    check(drawn<float>(1, 1, 1), drawn<float>(2, 1, 1), drawn<float>(3, 1, 1));
    check(drawn<float>(1, 0, 5), drawn<float>(2, 3, 5), drawn<float>(3, 3, 2));
    const auto q = drawn<float>(4, 9, 10), k = drawn<float>(5, 5, 12);
    check(q(slice(none, none, 2), slice(0, 5)), k(slice(), slice(2, 7)), k(slice(none, none, -1), slice(7, none)));
}
TEST_CASE("masks, batches and double") {
    auto masked = function<cpu>(by_mask);
    const auto q = drawn<double>(1, 6, 4), k = drawn<double>(2, 5, 4), v = drawn<double>(3, 5, 2);
    array<bool, 2> mask(6, 5);
    for (int t = 0; t < 6; ++t)
        for (int s = 0; s < 5; ++s) mask(t, s) = t == s || (t + 2 * s) % 3 == 0;
    const auto sees = [&](int t, int s) { return mask(t, s); };
    CHECK(wrong(masked(q, k, v, mask), q, k, v, sees) == 0);
    for (int s = 0; s < 5; ++s) mask(2, s) = false;
    const auto none_seen = masked(q, k, v, mask);
    CHECK(std::isnan(none_seen(2, 0)));
    CHECK(!std::isnan(none_seen(1, 0)));

    auto batched = function<cpu>(of_batches);
    const auto many = drawn<float>(4, 2, 3, 5, 4), keys = drawn<float>(5, 2, 3, 6, 4);
    const auto values = drawn<float>(6, 6, 3);
    const auto y = batched(many, keys, values);
    for (int b = 0; b < 2; ++b)
        for (int h = 0; h < 3; ++h) CHECK(wrong(y(b, h), many(b, h), keys(b, h), values, before) == 0);
}
TEST_CASE("gradients agree with the reference") {
    auto fast = function<cpu>(slopes);
    auto slow = function<reference>(slopes);
    const auto q = drawn<float>(1, 2, 5, 4), k = drawn<float>(2, 2, 5, 4), v = drawn<float>(3, 2, 5, 3);
    const auto [a1, a2, a3] = fast(q, k, v);
    const auto [b1, b2, b3] = slow(q, k, v);
    const auto same = [](const auto& a, const auto& b) {
        double worst = 0;
        for (std::int64_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
        CHECK(worst < 1e-4);
        CHECK(a.size() > 0);
    };
    same(a1, b1);
    same(a2, b2);
    same(a3, b3);
}
