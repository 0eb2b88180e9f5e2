// SPDX-License-Identifier: MIT
// What a call sends to the device in front of its steps, and what the host tells it instead.
#include <doctest/doctest.h>

#include "device/logged_cuda.hpp"

using namespace croton;

TEST_CASE("numbers and small arrays of the host travel in one block") {
    auto f = function<cuda>([](vector<float> x, scalar<float> a, vector<float> weights, scalar<double> b, scalar<int> c) { return x * a + cast<float>(b) * cast<float>(c) + sum(weights); });
    const array<float, 1, cuda> x(1000);
    array<float, 1, cuda> y(1000);
    const array<float, 1> weights(7), many(4000);
    for (int call = 0; call < 3; ++call) {
        logged::lines.clear();
        f.call_into(y, x, 1.5f, weights, 2.5, 3);
        CHECK(logged::count("copy of") == 1);
        // A large one goes by itself.
        logged::lines.clear();
        f.call_into(y, x, 1.5f, many, 2.5, 3);
        CHECK(logged::count("copy of") == 2);
        CHECK(logged::count("copy of 16000") == 1);
    }
    CHECK(logged::faults.empty());
}

TEST_CASE("a factor that depends on sizes only is the host's") {
    auto f = function<cuda>([](matrix<float> x, vector<float> y, shared<vector<float>> w) {
        auto cost = mean(sqr(dot(x, w) - y));
        return updates(w -= 0.1 * grad(cost, w));
    });
    for (const int n : {40, 400}) {
        const array<float, 2, cuda> x(n, 7);
        const array<float, 1, cuda> y(n);
        array<float, 1, cuda> w(7);
        f(x, y, w);
        logged::lines.clear();
        f(x, y, w);
        // The residual is part of the first product, or a loop behind it; nothing computes factors, and nothing looks behind the second one.
        CHECK(logged::count("node: matrix times vector") == 2);
        CHECK(logged::count("node: ") <= 3);
        CHECK(logged::alpha == doctest::Approx(-0.2 / n));
    }
    // One that a number of the call decides stays on the device.
    auto g = function<cuda>([](matrix<float> x, vector<float> y, shared<vector<float>> w, scalar<float> rate) {
        auto cost = mean(sqr(dot(x, w) - y));
        return updates(w -= rate * grad(cost, w));
    });
    const array<float, 2, cuda> x(40, 7);
    const array<float, 1, cuda> y(40);
    array<float, 1, cuda> w(7);
    const array<float, 0, cuda> rate(0.5f);
    g(x, y, w, rate);
    logged::lines.clear();
    g(x, y, w, rate);
    CHECK(logged::count("node: ") > 4);
    CHECK(logged::faults.empty());
}
