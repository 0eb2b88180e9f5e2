// SPDX-License-Identifier: MIT
// Derivatives that no longer hold what they were taken for: only its extents are left, or nothing.
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct line {
    A<double, 2> w;
    A<double, 1> b;
};

}  // namespace

TEST_CASE_TEMPLATE("the gradient of what is linear is a constant in the shape of the argument", Device, cpu, reference) {
    auto f = function<Device>([](vector<double> x, scalar<double> s) {
        return std::tuple(grad(sum(x), x), grad(sum(log(exp(x))), x), grad(3 * s, s));
    });
    const auto [ones, through, three] = f(array<double, 1>{-2, 1, 0.5}, 7.0);
    CHECK(ones == array<double, 1>{1, 1, 1});
    CHECK(through == array<double, 1>{1, 1, 1});
    CHECK(three == 3);
}

TEST_CASE("an argument that only a gradient was taken through, and a second derivative that is 0") {
    auto f = function<reference>([](line<symbol> m, vector<double> x) {
        const auto cost = sum(dot(m.w, x) + m.b);
        const auto g = grad(cost, m);
        return std::tuple(g.w, g.b, grad(sum(g.w), x));
    });
    const auto [w, b, second] = f(line<on<cpu>::array>{array<double, 2>{{1, 2, 3}, {4, 5, 6}}, array<double, 1>{7, 8}}, array<double, 1>{1, 10, 100});
    CHECK(w == array<double, 2>{{1, 10, 100}, {1, 10, 100}});
    CHECK(b == array<double, 1>{1, 1});
    CHECK(second == array<double, 1>{2, 2, 2});
}
