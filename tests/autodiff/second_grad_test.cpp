// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE("a gradient in a cost: second derivatives by finite differences") {
    const array<double, 2> m{{0.5, -0.25, 1}, {-1, 0.75, 0.3}};
    const array<double, 1> v{0.4, -0.6, 0.2};
    CHECK_NOTHROW(verify_grad([](matrix<double> a, vector<double> x) { return grad(sum(tanh(dot(a, x))), x); }, m, v));
    CHECK_NOTHROW(verify_grad([](matrix<double> a) { return grad(sum(sqr(log_softmax(a))), a); }, m));
    CHECK_NOTHROW(
        verify_grad([](matrix<double> a) { return grad(sum(sqr(softmax<0>(a))) + sum(exp(mean<1>(a))), a); }, m));
    CHECK_NOTHROW(verify_grad(
        [](matrix<double> a, vector<double> x) {
            return std::tuple(grad(sum(a * a * x / (2 + sqr(a))), a), grad(logsumexp(a * x), x));
        },
        m, v));
    CHECK_NOTHROW(verify_grad([](matrix<double> a) { return grad(sum(sqr(max<1>(a)) * sum<1>(abs(a) * a)), a); }, m));
}
