// SPDX-License-Identifier: MIT
// Elements in order and their places are sorted for once.
#include <doctest/doctest.h>

#include <limits>

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
