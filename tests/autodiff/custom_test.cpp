// SPDX-License-Identifier: MIT
#include <cmath>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class F> void on_both(F&& f) {
    f.template operator()<cpu>();
    f.template operator()<reference>();
}

const array<double, 1> x{0.5, -2, 3};

}  // namespace

TEST_CASE("stopped, scaled and clipped derivatives") {
    on_both([]<class Device>() {
        const auto f = function<Device>([](vector<double> a, scalar<double> factor) {
            const auto cost = [&](const auto& b) { return sum(a * b); };
            return outputs(stop_gradient(a), grad(cost(stop_gradient(a)), a), grad(sum(sqr(grad_scale(a, -1))), a), grad(sum(sqr(grad_scale(a, factor))), a), grad(sum(sqr(grad_clip(a, -3, 2))), a),
                           grad_clip(a, -1, 1), grad(sum(stop_gradient(exp(a))), a), grad(sum(grad(sum(a * a * stop_gradient(a)), a)), a));
        });
        const auto [value, stopped, reversed, scaled, clipped, unclipped, constant, second] = f(x, 3.0);
        CHECK(value == x);
        CHECK(stopped == x);
        CHECK(reversed == array<double, 1>{-1, 4, -6});
        CHECK(scaled == array<double, 1>{3, -12, 18});
        CHECK(clipped == array<double, 1>{1, -3, 2});
        CHECK(unclipped == x);
        CHECK(constant == array<double, 1>{0, 0, 0});
        CHECK(second == array<double, 1>{1, -4, 6});
    });
}

TEST_CASE("what is stopped costs nothing") {
    const auto f = function<cpu>([](vector<double> a) { return grad(sum(a * stop_gradient(exp(a))), a); });
    const auto g = function<cpu>([](vector<double> a) { return exp(a); });
    const std::string with = explain(f), without = explain(g);
    CHECK(with.substr(with.find("plan:")) == without.substr(without.find("plan:")));
}

TEST_CASE("a derivative of one's own") {
    on_both([]<class Device>() {
        const auto f = function<Device>([](vector<double> a, matrix<double> m, vector<double> b) {
            // The straight-through estimate of a rounded number, and a product that is told to forget one factor.
            const auto rounded = custom_gradient(cast<double>(a > 0), [](auto g, auto, auto) { return g; }, a);
            const auto product = custom_gradient(dot(m, b), [](auto g, auto y, auto p, auto q) { return std::tuple(0 * p, dot(transpose(p), g * y) + 0 * q); }, m, b);
            return outputs(rounded, grad(sum(rounded * rounded + rounded), a), product, grad(sum(product), b), grad(sum(product), m));
        });
        const auto [value, slope, product, for_b, for_m] = f(x, array<double, 2>{{1, 2}, {3, 4}}, array<double, 1>{1, -1});
        CHECK(value == array<double, 1>{1, 0, 1});
        CHECK(slope == array<double, 1>{3, 1, 3});
        CHECK(product == array<double, 1>{-1, -1});
        CHECK(for_b == array<double, 1>{-4, -6});
        CHECK(for_m == array<double, 2>{{0, 0}, {0, 0}});
    });
}

TEST_CASE("it is differentiated again through what it is made of") {
    const auto f = function<cpu>([](vector<double> a) {
        const auto y = custom_gradient(exp(a), [](auto g, auto value, auto b) { return g * value * b; }, a);
        return outputs(y, grad(sum(grad(sum(y), a)), a));
    });
    const auto [y, second] = f(x);
    // (y a)' = y + (y a) a.
    for (int i = 0; i < 3; ++i) CHECK(second(i) == doctest::Approx(y(i) + y(i) * x(i) * x(i)));
}
