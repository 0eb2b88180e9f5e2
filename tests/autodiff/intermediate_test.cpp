// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class F> void on_both(F&& f) {
    f.template operator()<cpu>();
    f.template operator()<reference>();
}

}  // namespace

TEST_CASE("the derivative for an expression, not only for a parameter") {
    on_both([]<class Device>() {
        auto f = function<Device>([](matrix<double> x, vector<double> w) {
            auto u = dot(x, w);
            auto p = sigmoid(u);
            auto cost = sum(binary_cross_entropy(p, u * 0 + 1));
            return std::tuple(grad(cost, u), grad(cost, p), grad(cost, w), u);
        });
        const array<double, 2> x{{1, 2}, {0.5, -1}, {-2, 0.25}};
        const array<double, 1> w{0.3, -0.7};
        const auto [for_u, for_p, for_w, u] = f(x, w);
        double slope[2] = {0, 0};
        for (std::int64_t i = 0; i < 3; ++i) {
            const double p = 1 / (1 + std::exp(-u(i)));
            CHECK(for_u(i) == doctest::Approx(p - 1));
            CHECK(for_p(i) == doctest::Approx(-1 / p));
            for (int k = 0; k < 2; ++k) slope[k] += (p - 1) * x(i, k);
        }
        CHECK(for_w(0) == doctest::Approx(slope[0]));
        CHECK(for_w(1) == doctest::Approx(slope[1]));
    });
}

TEST_CASE("an expression and what it is made of, at once") {
    on_both([]<class Device>() {
        auto f = function<Device>([](vector<double> x) {
            auto y = exp(x);
            auto z = y * y + x;
            auto cost = sum(z * y);
            auto [gx, gy, gz] = grad(cost, x, y, z);
            return std::tuple(gx, gy, gz);
        });
        const array<double, 1> x{0, 0.5, -1};
        const auto [gx, gy, gz] = f(x);
        for (std::int64_t i = 0; i < 3; ++i) {
            const double e = std::exp(x(i));
            // The derivative for x is the whole one, also through y and z.
            CHECK(gz(i) == doctest::Approx(e));
            CHECK(gy(i) == doctest::Approx(3 * e * e + x(i)));
            CHECK(gx(i) == doctest::Approx(3 * e * e * e + e + x(i) * e));
        }
    });
}

TEST_CASE("one expression alone passes its cotangent on to nothing") {
    on_both([]<class Device>() {
        auto f = function<Device>([](vector<double> x) {
            auto y = sqr(x);
            auto cost = sum(y * y + 3 * y);
            return std::tuple(grad(cost, y), grad(cost, x));
        });
        const array<double, 1> x{1, -2, 0.5};
        const auto [gy, gx] = f(x);
        for (std::int64_t i = 0; i < 3; ++i) {
            CHECK(gy(i) == doctest::Approx(2 * x(i) * x(i) + 3));
            CHECK(gx(i) == doctest::Approx((2 * x(i) * x(i) + 3) * 2 * x(i)));
        }
    });
}

TEST_CASE("sums, views and products among the intermediates") {
    on_both([]<class Device>() {
        auto f = function<Device>([](matrix<double> a, matrix<double> b) {
            auto c = dot(a, b);
            auto t = transpose(c);
            auto row = sum<0>(c);
            auto cost = sum(exp(t)) + sum(sqr(row));
            return std::tuple(grad(cost, c), grad(cost, t), grad(cost, row), c);
        });
        const array<double, 2> a{{0.1, 0.2}, {0.3, -0.4}}, b{{1, 0.5, 0}, {-1, 0.25, 2}};
        const auto [gc, gt, grow, c] = f(a, b);
        for (std::int64_t j = 0; j < 3; ++j) {
            const double row = c(0, j) + c(1, j);
            CHECK(grow(j) == doctest::Approx(2 * row));
            for (std::int64_t i = 0; i < 2; ++i) {
                CHECK(gc(i, j) == doctest::Approx(std::exp(c(i, j)) + 2 * row));
                CHECK(gt(j, i) == doctest::Approx(std::exp(c(i, j))));
            }
        }
    });
}

TEST_CASE("an expression that an earlier gradient has rewritten") {
    on_both([]<class Device>() {
        auto f = function<Device>([](matrix<double> x, vector<double> w) {
            auto p = 1 / (1 + exp(-dot(x, w)));
            auto cost = sum(-log(p));
            auto gw = grad(cost, w);
            return std::tuple(gw, grad(cost, p), p, grad(cost, cost), grad(sum(gw), w));
        });
        const array<double, 2> x{{1, 2}, {0.5, -1}};
        const auto [gw, gp, p, one, second] = f(x, array<double, 1>{0.3, -0.7});
        double slope = 0, bend = 0;
        for (std::int64_t i = 0; i < 2; ++i) {
            CHECK(gp(i) == doctest::Approx(-1 / p(i)));
            slope += (p(i) - 1) * x(i, 0);
            bend += p(i) * (1 - p(i)) * x(i, 0) * (x(i, 0) + x(i, 1));
        }
        CHECK(gw(0) == doctest::Approx(slope));
        CHECK(second(0) == doctest::Approx(bend));
        CHECK(static_cast<double>(one) == 1);
    });
}

TEST_CASE("derivatives in the structure of a tuple") {
    on_both([]<class Device>() {
        auto f = function<Device>([](vector<double> x, vector<double> w, scalar<double> b) {
            const auto cost = sum(sqr(x * w + b));
            auto [gw, gb] = grad(cost, std::tuple(w, b));
            auto [gx, both] = grad(cost, x, std::tuple(w, std::tuple(b)));
            auto [value, one] = value_and_grad(cost, std::tuple(w));
            return std::tuple(gw, gb, gx, std::get<0>(both), std::get<0>(std::get<1>(both)), value, std::get<0>(one));
        });
        const auto [gw, gb, gx, again, b_again, value, alone] = f(array<double, 1>{1, 2}, array<double, 1>{3, 4}, array<double, 0>(1.0));
        CHECK(gw == array<double, 1>{8, 36});
        CHECK(gb() == 26);
        CHECK(gx == array<double, 1>{24, 72});
        CHECK(again == gw);
        CHECK(b_again() == 26);
        CHECK(value() == 97);
        CHECK(alone == gw);
    });
}
