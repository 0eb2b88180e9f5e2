// SPDX-License-Identifier: MIT
#include <cmath>

#include "optim.hpp"

using namespace croton;
using namespace optim_check;

TEST_CASE("gradients in place of the cost") {
    const auto by_cost = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model, shared<adam_state<net<symbol>>> state) {
        const auto cost = cost_of(x, y, model);
        return outputs(cost).updates(adam(cost, model, state));
    });
    const auto by_gradients = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model, shared<adam_state<net<symbol>>> state) {
        const auto [cost, slope] = value_and_grad(cost_of(x, y, model), model);
        return outputs(cost).updates(adam(slope, model, state));
    });
    arrays a = start(), b = start();
    auto s = adam_state<arrays>::zeros_like(a), t = s;
    for (int i = 0; i < 3; ++i) {
        (void)by_cost(input, target, a, s);
        (void)by_gradients(input, target, b, t);
    }
    check_equal(flat(a), flat(b));
}

TEST_CASE("gradients of one parameter, clipped") {
    const auto f = function<cpu>([](vector<double> x, shared<vector<double>> w) {
        const auto slope = grad(sum(sqr(w - x)), w);
        return outputs(global_norm(slope)).updates(sgd(clip_by_global_norm(slope, 1.0), w, {.learning_rate = 1.0}));
    });
    array<double, 1> w{3, 4};
    CHECK(f(array<double, 1>{0, 0}, w) == 10);
    CHECK((w(0) == doctest::Approx(2.4) && w(1) == doctest::Approx(3.2)));
    array<double, 1> near{0.1, 0};
    (void)f(array<double, 1>{0, 0}, near);
    CHECK((near(0) == doctest::Approx(-0.1) && near(1) == 0));
    array<double, 1> there{0, 0};
    CHECK(f(array<double, 1>{0, 0}, there) == 0);
    CHECK(there == array<double, 1>{0, 0});
}

TEST_CASE("gradients of several calls are added up, and taken as one") {
    const auto add = function<cpu>([](matrix<double> x, matrix<double> y, net<symbol> model, shared<net<symbol>> sums) {
        const auto cost = cost_of(x, y, model);
        return outputs(cost).updates(sums += grad(cost, model));
    });
    const auto step = function<cpu>([](shared<net<symbol>> model, shared<net<symbol>> sums) {
        return updates(sgd(tree_map([](auto g) { return g / 2; }, sums), model, {.learning_rate = 0.1}), sums *= 0);
    });
    arrays model = start(), sums = zeros_like(model);
    auto w = flat(model);
    const auto g = gradient_at(model);
    (void)add(input, target, model, sums);
    (void)add(input, target, model, sums);
    step(model, sums);
    for (std::size_t k = 0; k < w.size(); ++k) w[k] -= 0.1 * g[k];
    check_equal(flat(model), w);
    for (const double left : flat(sums)) CHECK(left == 0);
}

TEST_CASE("added gradients as they are, and sums and multiples of models") {
    const auto add = function<cpu>([](matrix<double> x, matrix<double> y, net<symbol> model, shared<net<symbol>> sums) {
        return updates(sums += 3 * grad(cost_of(x, y, model), model) / 6);
    });
    const auto step = function<cpu>([](shared<net<symbol>> model, shared<net<symbol>> sums, scalar<double> rate) {
        return updates(sgd(sums, model, {.learning_rate = 0.1}), sums -= rate * (sums - model) + sums * 0.5);
    });
    arrays model = start(), sums = zeros_like(model);
    const auto w = flat(model), g = gradient_at(model);
    (void)add(input, target, model, sums);
    step(model, sums, 0.25);
    const auto moved = flat(model), left = flat(sums);
    for (std::size_t k = 0; k < w.size(); ++k) {
        const double half = g[k] / 2;
        CHECK(moved[k] == doctest::Approx(w[k] - 0.1 * half));
        CHECK(left[k] == doctest::Approx(half - 0.25 * (half - w[k]) - 0.5 * half));
    }
}

TEST_CASE("functions of several models, and the length of all") {
    const auto f = function<cpu>([](net<symbol> a, shared<net<symbol>> b) {
        const auto mixed = tree_map([](auto x, auto y) { return y - 0.5 * x; }, -a, b);
        return outputs(global_norm(a), mixed).updates(update(b, mixed));
    });
    const arrays a = start();
    arrays b = start();
    const auto [length, mixed] = f(a, b);
    double squares = 0;
    const auto before = flat(a);
    for (const double x : before) squares += x * x;
    CHECK(length() == doctest::Approx(std::sqrt(squares)));
    const auto after = flat(b);
    for (std::size_t k = 0; k < after.size(); ++k) CHECK(after[k] == doctest::Approx(1.5 * before[k]));
}

TEST_CASE("gradients are changed where they stand, parameters are updated") {
    const auto f = function<cpu>([](shared<net<symbol>> model) {
        expr<double, 0> cost;
        cost = global_norm(model) * global_norm(model);
        auto g = grad(cost, model);
        g *= 0.5;       // the model
        g += 2.0 * model;
        g.gain *= 3.0;
        g.layers[1] *= 1.0;
        const auto kept = g;
        g /= 3.0;
        return outputs(kept, g).updates(model -= g);
    });
    arrays model = start();
    const auto before = flat(model);
    const auto [kept, third] = f(model);
    const auto all = flat(kept), divided = flat(third), moved = flat(model);
    for (std::size_t k = 0; k < before.size(); ++k) {
        const double slope = (k + 1 < before.size() ? 3 : 9) * before[k];
        CHECK(all[k] == doctest::Approx(slope));
        CHECK(divided[k] == doctest::Approx(slope / 3));
        CHECK(moved[k] == doctest::Approx(before[k] - slope / 3));
    }
}
