// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class F> void on_both(F&& f) {
    f.template operator()<cpu>();
    f.template operator()<reference>();
}

// Symmetric and positive: the one-dimensional Laplacian with something on its diagonal.
template <class T> array<T, 2> stiff(int n) {
    array<T, 2> a(n, n);
    for (int i = 0; i < n; ++i) {
        a(i, i) = T(2.5);
        if (i > 0) a(i, i - 1) = a(i - 1, i) = T(-1);
    }
    return a;
}

// Minus the Laplacian of a plate with a cold border.
constexpr auto cooling = [](auto u) {
    constexpr slice in(1, -1);
    auto v = pad(u, 1);
    return 4 * u - v(slice(2, none), in) - v(slice(none, -2), in) - v(in, slice(2, none)) - v(in, slice(none, -2));
};

}  // namespace

TEST_CASE_TEMPLATE("what comes out solves the system", T, float, double) {
    on_both([]<class Device>() {
        auto f = function<Device>([](matrix<T> a, vector<T> b) {
            auto x = conjugate_gradients([&](auto v) { return dot(a, v); }, b, {.tolerance = sizeof(T) == 4 ? 1e-6 : 1e-13});
            return outputs(x, dot(a, x) - b);
        });
        for (int n : {0, 1, 2, 37}) {
            array<T, 1> b(n);
            for (int i = 0; i < n; ++i) b(i) = static_cast<T>(std::sin(i + 1.0));
            const auto [x, left] = f(stiff<T>(n), b);
            CHECK(x.extent(0) == n);
            for (int i = 0; i < n; ++i) CHECK(std::abs(left(i)) < (sizeof(T) == 4 ? T(1e-5) : T(1e-12)));
        }
    });
}

TEST_CASE("zeros are solved by zeros, and by no turn") {
    auto f = function<cpu>([](matrix<double> a, vector<double> b) { return conjugate_gradients([&](auto v) { return dot(a, v) / 0.0; }, b); });
    const auto x = f(stiff<double>(3), array<double, 1>(3));
    for (int i = 0; i < 3; ++i) CHECK(x(i) == 0);
}

TEST_CASE("an unknown of several axes, and of none") {
    on_both([]<class Device>() {
        auto f = function<Device>([](matrix<double> heat) {
            auto u = conjugate_gradients(cooling, heat, {.tolerance = 1e-13});
            return outputs(u, cooling(u) - heat);
        });
        array<double, 2> heat(5, 7);
        heat(2, 3) = 1, heat(0, 6) = -2;
        const auto [u, left] = f(heat);
        CHECK(u(2, 3) > 0.25);
        for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 7; ++j) CHECK(std::abs(left(i, j)) < 1e-12);
        auto g = function<Device>([](scalar<double> b) { return conjugate_gradients([](auto v) { return 4 * v; }, b); });
        CHECK(double(g(3.0)) == 0.75);
    });
}

TEST_CASE("it ends after as many turns as are said, and where it is near enough") {
    auto f = function<cpu>([](matrix<double> a, vector<double> b) {
        const auto product = [&](auto v) { return dot(a, v); };
        auto steepest = sum(sqr(b)) / sum(b * dot(a, b)) * b;
        return outputs(conjugate_gradients(product, b, {.most = 1}) - steepest, conjugate_gradients(product, b, {.most = 0}),
                       norm(dot(a, conjugate_gradients(product, b, {.tolerance = 0.1})) - b) / norm(b));
    });
    array<double, 1> b(50);
    b(0) = 1;
    const auto [one, none_at_all, left] = f(stiff<double>(50), b);
    for (int i = 0; i < 50; ++i) {
        CHECK(std::abs(one(i)) < 1e-15);
        CHECK(none_at_all(i) == 0);
    }
    CHECK(left() <= 0.1);
    CHECK(left() > 0.01);
}

TEST_CASE("derivatives are those of the solution") {
    auto f = function<cpu>([](matrix<double> a, vector<double> b) {
        auto by_turns = sum(sqr(conjugate_gradients([&](auto v) { return dot(a, v); }, b, {.tolerance = 1e-14, .most = 40})));
        auto at_once = sum(sqr(solve(a, b)));
        return std::tuple(grad(by_turns, b), grad(at_once, b));
    });
    array<double, 1> b(6);
    for (int i = 0; i < 6; ++i) b(i) = i - 1.5;
    const auto [turns, once] = f(stiff<double>(6), b);
    for (int i = 0; i < 6; ++i) CHECK(turns(i) == doctest::Approx(once(i)).epsilon(1e-9));
}

TEST_CASE("Newton's method by products with the Hessian") {
    auto f = function<cpu>([](vector<double> start) {
        return std::get<0>(scan([](auto x) {
            auto cost = sum(exp(x) - 2 * x) + 0.5 * sqr(sum(x));
            return step(x - conjugate_gradients([&](auto v) { return hvp(cost, x, v); }, grad(cost, x), {.tolerance = 1e-12}));
        }, start, times(12)));
    });
    // By symmetry all elements are the x for which exp(x) - 2 + 3 x is 0.
    const auto x = f(array<double, 1>{0.5, -1, 2});
    for (int i = 0; i < 3; ++i) CHECK(std::abs(std::exp(x(i)) - 2 + 3 * x(i)) < 1e-12);
}
