// SPDX-License-Identifier: MIT
#include <limits>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
bool is_nan(double x) { return x != x; }

}  // namespace

TEST_CASE("integers, bools, halves and views") {
    const auto f = function<cpu>([](vector<int> x, vector<bool> b, vector<half> h) {
        return outputs(count_nonzero(x), count_nonzero(b), ptp(x), nansum(x), nanmax(x), nanprod(b), var(h), norm(h, 1), median(h), average(h, h));
    });
    const auto [nonzero, hits, range, total, most, product, spread, length, middle, weighted] =
        f(array<int, 1>{3, 0, -4}, array<bool, 1>{true, false, true}, array<half, 1>{half(1.0f), half(2.0f), half(4.0f), half(5.0f)});
    CHECK((nonzero() == 2 && hits() == 2 && range() == 7 && total() == -1 && most() == 3 && product() == 0));
    CHECK((spread() == 2.5f && length() == 12 && middle() == 3 && weighted() == doctest::Approx(46 / 12.0)));
    const auto g = function<cpu>([](matrix<double> x) { return outputs(var<0>(x), median<1>(x), norm<0>(x)); });
    const array<double, 2> x{{1, 5, 2}, {3, 6, 9}};
    const auto [a, b, c] = g(x.transpose());
    const auto [d, e, h] = g(array<double, 2>{{1, 3}, {5, 6}, {2, 9}});
    CHECK((a == d && b == e && c == h));
}

TEST_CASE("what is in the middle of few, and of infinities") {
    const auto f = function<cpu>([](vector<double> x, scalar<double> q) { return outputs(median(x), quantile(x, 0.8), quantile(x, q), nanmedian(x), nanquantile(x, q)); });
    const auto [middle, high, low, number, share] = f(array<double, 1>{inf, 1, inf, 2}, 0.0);
    CHECK((middle() == inf && high() == inf && low() == 1 && number() == inf && share() == 1));
    const auto [one, only, asked, of_one, same] = f(array<double, 1>{7}, 0.3);
    CHECK((one() == 7 && only() == 7 && asked() == 7 && of_one() == 7 && same() == 7));
    constexpr double large = std::numeric_limits<double>::max(), nan = std::numeric_limits<double>::quiet_NaN();
    const auto [odd, b1, c1, d1, e1] = f(array<double, 1>{large, large, large}, 1.0);
    CHECK((odd() == large && b1() == large && c1() == large && d1() == large && e1() == large));
    const auto [lost, lost_high, lost_low, left, right] = f(array<double, 1>{nan, 1, 3, nan}, 0.5);
    CHECK((is_nan(lost()) && is_nan(lost_high()) && is_nan(lost_low()) && left() == 2 && right() == 2));
    const auto [a2, b2, outside, d2, outside_too] = f(array<double, 1>{1, 2}, 1.5);
    CHECK((a2() == 1.5 && is_nan(outside()) && is_nan(outside_too())));
    const auto [a3, b3, c3, lost_all, nothing] = f(array<double, 1>{nan, nan}, 0.5);
    CHECK((is_nan(lost_all()) && is_nan(nothing())));
    CHECK_THROWS_AS((void)f(array<double, 1>(extents_of<1>{0}), 0.5), shape_error);
}

TEST_CASE("the first and the last of equal elements") {
    const auto f = function<cpu>([](matrix<float> x) {
        return outputs(argmax(x), argmax(x, ties::last), argmax<0>(x, ties::last), argmin<1>(x, ties::last), argmin(x));
    });
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto [first, last, down, across, least] = f(array<float, 2>{{1, 5, 1}, {5, 5, 1}});
    CHECK((first() == 1 && last() == 4 && least() == 0));
    CHECK(down == array<std::int64_t, 1>{1, 1, 1});
    CHECK(across == array<std::int64_t, 1>{2, 2});
    const auto [first_nan, last_nan, b, c, d] = f(array<float, 2>{{1, nan, 7}, {nan, 5, 1}});
    CHECK((first_nan() == 1 && last_nan() == 3));
}

TEST_CASE("derivatives of spreads and norms") {
    const array<double, 2> x{{1, 2.5, -0.3, 4}, {-2, 0.7, 3, 1.2}, {0.1, -1, 2, 6}};
    verify_grad([](matrix<double> a) { return outputs(var<0>(a), stddev<1>(a, ddof(1)), norm(a), norm<1>(a, 3), norm(a, 1)); }, x);
    verify_grad([](matrix<double> a) { return outputs(norm<0>(a, INFINITY), average<0>(a, a * a), cov(a), corrcoef(a), norm(a, 2), norm(a, -2), percentile<0>(a, 40)); }, x);
    verify_grad([](matrix<double> a) { return outputs(median<0>(a), quantile<1>(a, 0.3), nanvar<0>(a), nanmean<1>(a), nanmedian(a)); }, x);
    verify_grad([](matrix<double> a) { return grad(sum(stddev<0>(a)) * norm(a), a); }, x);
}

TEST_CASE("where a length is 0, its derivative is") {
    const auto f = function<cpu>([](matrix<double> x) { return outputs(norm<1>(x), grad(sum(norm<1>(x)), x), grad(sum(stddev<1>(x)), x)); });
    const auto [length, slope, spread] = f(array<double, 2>{{0, 0}, {3, 4}});
    CHECK(length == array<double, 1>{0, 5});
    CHECK((slope(0, 0) == 0 && slope(0, 1) == 0 && slope(1, 0) == doctest::Approx(0.6) && slope(1, 1) == doctest::Approx(0.8)));
    CHECK((spread(0, 0) == 0 && spread(0, 1) == 0 && spread(1, 0) == -0.5));
}

TEST_CASE("the mean of a large number costs no digits") {
    const auto f = function<cpu>([](vector<float> x) { return var(x); });
    array<float, 1> x(extents_of<1>{1000});
    for (std::int64_t i = 0; i < x.size(); ++i) x(i) = 10000.0f + static_cast<float>(i % 2);
    CHECK(f(x) == doctest::Approx(0.25).epsilon(1e-5));
}
