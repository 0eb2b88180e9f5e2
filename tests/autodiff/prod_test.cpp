// SPDX-License-Identifier: MIT
// Derivatives of products of elements, some of which are 0: the product of the others, and of what the others leave.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("the second derivative of a product with zeros", Device, cpu, reference) {
    auto second = function<Device>([](vector<double> x, vector<double> w) { return grad(sum(grad(prod(x), x) * w), x); });
    const array<double, 1> weights{1, 10, 100};
    CHECK(second(array<double, 1>{0, 2, 3}, weights) == array<double, 1>{230, 3, 2});
    CHECK(second(array<double, 1>{0, 0, 3}, weights) == array<double, 1>{30, 3, 0});
    CHECK(second(array<double, 1>{0, 0, 0}, weights) == array<double, 1>{0, 0, 0});
    CHECK(second(array<double, 1>{4, 2, 3}, weights) == array<double, 1>{230, 403, 42});
}

TEST_CASE("the third derivative of a product of zeros") {
    const array<double, 1> weights{1, 10, 100};
    auto third = function<reference>([](vector<double> x, vector<double> w) {
        return grad(sum(grad(sum(grad(prod(x), x) * w), x) * w), x);
    });
    // d3 of x0 x1 x2 is 1 for every order of the three: 2 w_j w_k for element i.
    CHECK(third(array<double, 1>{0, 0, 0}, weights) == array<double, 1>{2000, 200, 20});
}

TEST_CASE("the second derivative of products along one of two axes") {
    auto second = function<reference>([](matrix<double> x, matrix<double> w) { return grad(sum(grad(sum(sqr(prod<0>(x))), x) * w), x); });
    // The columns are (0, 2), (3, 0) and (2, 5): d of 2 p q_i w_i with p the product and q_i the other element.
    const array<double, 2> at{{0, 3, 2}, {2, 0, 5}}, weights{{1, 1, 1}, {10, 10, 10}};
    const array<double, 2> h = second(at, weights);
    const auto expected = [](double a, double b, double wa, double wb) { return 2 * b * b * wa + 4 * a * b * wb; };
    for (int j = 0; j < 3; ++j) {
        CHECK(h(0, j) == doctest::Approx(expected(at(0, j), at(1, j), weights(0, j), weights(1, j))));
        CHECK(h(1, j) == doctest::Approx(expected(at(1, j), at(0, j), weights(1, j), weights(0, j))));
    }
}
