// SPDX-License-Identifier: MIT
// Elements in order and their places are sorted for once.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "plan/steps.hpp"

using namespace croton;
using plan_tests::count;
using plan_tests::step_kind;

namespace {

using M = matrix<float>;

inline constexpr auto both = [](M x) { return std::tuple(sort<1>(x), argsort<1>(x)); };
inline constexpr auto other_axis = [](M x) { return std::tuple(sort<0>(x), argsort<1>(x)); };
inline constexpr auto with_gradient = [](M x) {
    auto cost = sum(sqr(sort<0>(x)));
    return outputs(cost, grad(cost, x));
};
inline constexpr auto best = [](M x) {
    auto [values, places] = topk<2, 1>(x);
    return std::tuple(values, places);
};

inline constexpr auto middle = [](M x) { return median<1>(x); };
inline constexpr auto with_slope = [](M x) {
    auto m = median<1>(x);
    return outputs(m, grad(sum(m), x));
};
inline constexpr auto deviation = [](vector<double> x) { return median(abs(x - median(x))); };
inline constexpr auto shares = [](tensor<float, dynamic, dynamic, dynamic> x) {
    return outputs(quantile<1>(x, std::array{0.1, 0.5, 0.95}), sort<0>(x)(-1));
};
inline constexpr auto read_besides = [](M x) {
    auto y = sort<1>(x);
    return outputs(y(slice(), 0), cumsum<1>(y));
};
inline constexpr auto places_of_its_own = [](vector<double> x) {
    auto y = sort<0>(x);
    return take<0>(y, cast<std::int64_t>(y(0)));
};
inline constexpr auto short_rows = [](matrix<float, dynamic, 9> x) { return median<1>(x); };

template <class F> bool parts(const F& lambda) { return explain(function<cpu>(lambda)).find("partition<") != std::string::npos; }
template <class T, int R> array<T, R> mixed(array<T, R> x) {
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7919 % 1009 - 300);
    return x;
}
template <class X, class Y> void check_same(const X& x, const Y& y) {
    REQUIRE(x.extents() == y.extents());
    for (std::int64_t i = 0; i < x.size(); ++i) CHECK((x.data()[i] == y.data()[i] || (x.data()[i] != x.data()[i] && y.data()[i] != y.data()[i])));
}

}  // namespace

TEST_CASE("one routine sorts") {
    CHECK(count(both, step_kind::routine) == 1);
    CHECK(count(other_axis, step_kind::routine) == 2);
    CHECK(count(with_gradient, step_kind::routine) == 2);  // and one leads back
    CHECK(count(best, step_kind::routine) == 1);
}
TEST_CASE("numbers") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const array<float, 2> x = {{3, nan, -infinity, 1, 2}, {2, 2, 1, infinity, 0}};
    const auto [values, places] = function<cpu>(both)(x);
    const auto [expected, where] = function<reference>(both)(x);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 5; ++j) {
            CHECK(places(i, j) == where(i, j));
            CHECK((values(i, j) == expected(i, j) || (values(i, j) != values(i, j) && expected(i, j) != expected(i, j))));
        }
    CHECK(values(0, 4) != values(0, 4));
    const array<float, 2> empty(2, 0);
    CHECK(std::get<0>(function<cpu>(both)(empty)).size() == 0);
    const array<float, 2> y = {{3, 1}, {2, 5}};
    const auto [cost, slope] = function<cpu>(with_gradient)(y);
    CHECK(cost() == 39);
    CHECK(slope(0, 0) == 6);
    CHECK(slope(1, 1) == 10);
}

TEST_CASE("only as far as it is read") {
    CHECK(parts(middle));
    CHECK(parts(deviation));
    CHECK(parts(shares));
    CHECK(!parts(with_slope));
    CHECK(!parts(read_besides));
    CHECK(!parts(places_of_its_own));
    CHECK(!parts(short_rows));
    CHECK(explain(function<cpu>(middle)).find("sort(x) is sorted only where it is read") != std::string::npos);
    for (const std::int64_t n : {1, 2, 3, 8, 65, 700, 3000}) {
        auto x = mixed(array<float, 2>(3, n));
        check_same(function<cpu>(middle)(x), function<reference>(middle)(x));
        x(1, n / 2) = std::numeric_limits<float>::quiet_NaN();
        check_same(function<cpu>(middle)(x), function<reference>(middle)(x));
        const auto v = mixed(array<double, 1>(n));
        check_same(function<cpu>(deviation)(v), function<reference>(deviation)(v));
        const auto t = mixed(array<float, 3>(4, n, 2));
        const auto [a, b] = function<cpu>(shares)(t);
        const auto [c, d] = function<reference>(shares)(t);
        check_same(a, c);
        check_same(b, d);
    }
    array<double, 1> w(100);
    for (int i = 0; i < 100; ++i) w(i) = 7 + i * 37 % 100;
    check_same(function<cpu>(places_of_its_own)(w), function<reference>(places_of_its_own)(w));
}
