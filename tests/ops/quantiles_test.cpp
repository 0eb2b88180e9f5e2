// SPDX-License-Identifier: MIT
// Several quantiles at once: each is what it is alone, and they lie where NumPy has them.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

using namespace croton;

namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

template <int R> bool same(const array<double, R>& a, const array<double, R>& b) {
    if (a.extents() != b.extents()) return false;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const double x = a.data()[i], y = b.data()[i];
        if (x != y && !(x != x && y != y)) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("a vector of shares, and a list of numbers") {
    const auto several = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> x, vector<double> q) {
        return outputs(quantile<1>(x, q), quantile<0, 2>(x, q), quantile(x, q), quantile<1>(x, q, keepdims), nanquantile<1>(x, q), nanquantile(x, q), nanquantile<2>(x, q, keepdims),
                       percentile<1>(x, std::array{0, 25, 100}), nanpercentile<1>(x, std::array{30.0}, keepdims));
    });
    const auto one = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> x, scalar<double> q) {
        return outputs(quantile<1>(x, q), quantile<0, 2>(x, q), quantile(x, q), nanquantile<1>(x, q), nanquantile(x, q), nanquantile<2>(x, q));
    });
    array<double, 3> x({3, 5, 2});
    random::normal(x, 4);
    for (const bool gaps : {false, true}) {
        if (gaps) x(1, 2, 1) = x(1, 4, 1) = x(0, 0, 0) = gap;
        const array<double, 1> q{0.25, 0, 1, 0.9, 1.5, 0.5};
        const auto [along, both, all, kept, of_numbers, all_numbers, kept_numbers, hundredths, list] = several(x, q);
        CHECK(along.extents() == std::array<std::int64_t, 3>{6, 3, 2});
        CHECK(both.extents() == std::array<std::int64_t, 2>{6, 5});
        CHECK(all.extents() == std::array<std::int64_t, 1>{6});
        CHECK(kept.extents() == std::array<std::int64_t, 4>{6, 3, 1, 2});
        CHECK(kept_numbers.extents() == std::array<std::int64_t, 4>{6, 3, 5, 1});
        CHECK(hundredths.extents() == std::array<std::int64_t, 3>{3, 3, 2});
        CHECK(list.extents() == std::array<std::int64_t, 4>{1, 3, 1, 2});
        for (std::int64_t i = 0; i < q.size(); ++i) {
            const auto [a, b, c, d, e, f] = one(x, q(i));
            CHECK(same<2>(along(i), a));
            CHECK(same<1>(both(i), b));
            CHECK((all(i) == c() || (std::isnan(all(i)) && std::isnan(c()))));
            CHECK(same<2>(kept(i, slice(), 0), a));
            CHECK(same<2>(of_numbers(i), d));
            CHECK((all_numbers(i) == e() || (std::isnan(all_numbers(i)) && std::isnan(e()))));
            CHECK(same<2>(kept_numbers(i, slice(), slice(), 0), f));
        }
        CHECK(same<2>(hundredths(1), along(0)));
        CHECK(same<2>(hundredths(0), along(1)));
    }
}

TEST_CASE("none, and of one") {
    const auto f = function<cpu>([](vector<float> x, vector<float> q) { return quantile(x, q); });
    CHECK(f(array<float, 1>{3, 1}, array<float, 1>(0)).extents() == std::array<std::int64_t, 1>{0});
    CHECK(f(array<float, 1>{3}, array<float, 1>{0.1f, 0.9f}) == array<float, 1>{3, 3});
    CHECK_THROWS_AS((void)f(array<float, 1>(0), array<float, 1>{0.1f}), shape_error);
}

TEST_CASE("the derivative of several") {
    verify_grad([](matrix<double> x) { return quantile<0>(x, std::array{0.3, 0.75}); }, array<double, 2>{{1, 9, 4}, {7, 3, 8}, {2, 5, 6}});
    verify_grad([](matrix<double> x) { return nanquantile<1>(x, std::array{0.3, 0.75}); }, array<double, 2>{{1, 9, 4}, {7, 3, 8}, {2, 5, 6}});
}

TEST_CASE("an empty axis has no median and no quantiles, and says so by their names") {
    auto f = function<cpu>("f", [](matrix<float> x) { return median<0>(x); });
    auto g = function<cpu>("g", [](matrix<float> x) { return nanquantile<0>(x, std::array{0.25, 0.5}); });
    CHECK_THROWS_WITH_AS(f(array<float, 2>(0, 3)), "f: an empty axis has no median and no quantiles", shape_error);
    CHECK_THROWS_WITH_AS(g(array<float, 2>(0, 3)), "g: an empty axis has no median and no quantiles", shape_error);
    CHECK(f(array<float, 2>(3, 0)).size() == 0);
}

TEST_CASE("shares in braces") {
    const array<double, 2> m{{1, 9, 4}, {7, 3, 8}};
    auto f = function<cpu>([](matrix<double> x) { return outputs(quantile<0>(x, {0.25, 0.5}), percentile<1>(x, {50, 100}, keepdims), nanquantile(x, {1})); });
    const auto [quarters, rows, most] = f(m);
    CHECK(quarters == array<double, 2>{{2.5, 4.5, 5}, {4, 6, 6}});
    CHECK(rows == array<double, 3>{{{4}, {7}}, {{9}, {8}}});
    CHECK(most == array<double, 1>{9});
    CHECK(quantile<0>(m, {0.25f, 0.5f}) == quarters);
    CHECK(percentile<1>(m + 0, {50, 100}, keepdims) == rows);
    CHECK(nanpercentile(array<float, 1>{3, 1, 2}, {0, 50}) == array<float, 1>{1, 2});
}
