// SPDX-License-Identifier: MIT
// Where values wait for a loop that reads them later: what is stored meanwhile is as little as can be.
#include <doctest/doctest.h>

#include "plan/steps.hpp"

using namespace plan_tests;

namespace {

constexpr auto two_of_a_sum = [](matrix<float> x, matrix<float> w) {
    auto v = x + 1;
    auto p = exp(v), q = v * sin(v);
    return std::tuple(sum<0>(p), sum<0>(q), matmul(tanh(x), w) * (p + q));
};

}  // namespace

TEST_CASE("of two arrays that are read early and wait for a later sum, the sum is stored") {
    // tmp0 and tmp1: tanh(x) for the product, and p + q
    CHECK(steps(two_of_a_sum) == "kernel -> out0 out1 tmp0 tmp1; product -> tmp2; kernel -> out2");
    array<float, 2> x(5, 7), w(7, 7);
    random::normal(x, 1);
    random::normal(w, 2);
    auto [a, b, c] = function<cpu>(two_of_a_sum)(x, w);
    auto [p, q, r] = function<reference>(two_of_a_sum)(x, w);
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 7; ++j) CHECK(c(i, j) == doctest::Approx(r(i, j)).epsilon(1e-5));
    for (int j = 0; j < 7; ++j) {
        CHECK(a(j) == doctest::Approx(p(j)).epsilon(1e-5));
        CHECK(b(j) == doctest::Approx(q(j)).epsilon(1e-5));
    }
}
