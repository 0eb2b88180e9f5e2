// SPDX-License-Identifier: MIT
// The derivatives of x^p where one of the two formulas for them has no value.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("the derivatives of pow at x = 0 and p = 0", Device, cpu, reference) {
    auto f = function<Device>([](vector<double> x, vector<double> p) {
        auto y = sum(pow(x, p));
        return std::tuple(grad(y, x), grad(y, p));
    });
    const auto [of_x, of_p] = f(array<double, 1>{0, 0, 0, 2, 2}, array<double, 1>{0, 1, 2, 0, 3});
    CHECK(of_x == array<double, 1>{0, 1, 0, 0, 12});
    CHECK(of_p(0) == 0);
    CHECK(of_p(1) == 0);
    CHECK(of_p(2) == 0);
    CHECK(of_p(3) == doctest::Approx(std::log(2.0)));
    CHECK(of_p(4) == doctest::Approx(8 * std::log(2.0)));

    auto g = function<Device>([](vector<double> x) { return grad(sum(pow(x, 1.5) + pow(x, 2) + pow(x, 0)), x); });
    CHECK(g(array<double, 1>{0, 4})(0) == 0);
    CHECK(g(array<double, 1>{0, 4})(1) == doctest::Approx(1.5 * 2 + 8));
}

TEST_CASE_TEMPLATE("the mixed second derivative of pow", Device, cpu, reference) {
    // x^(p-1) + p x^(p-1) log x, which is 1 / x at p = 0.
    auto f = function<Device>([](vector<double> x, vector<double> p) {
        auto y = sum(pow(x, p));
        return std::tuple(grad(sum(grad(y, x)), p), grad(sum(grad(y, p)), x), grad(sum(grad(y, x)), x));
    });
    const array<double, 1> x{2, 2, 4, 0, 0}, p{0, 3, 0.5, 2, 0};
    const auto [xp, px, xx] = f(x, p);
    for (int i = 0; i < 3; ++i) {
        const double wanted = std::pow(x(i), p(i) - 1) * (1 + p(i) * std::log(x(i)));
        CHECK(xp(i) == doctest::Approx(wanted));
        CHECK(px(i) == doctest::Approx(wanted));
        CHECK(xx(i) == doctest::Approx(p(i) * (p(i) - 1) * std::pow(x(i), p(i) - 2)));
    }
    CHECK(xx(3) == 2);
    CHECK(xx(4) == 0);
}
