// SPDX-License-Identifier: MIT
#include "optim.hpp"

using namespace croton;
using namespace optim_check;

TEST_CASE("sgd on a model") {
    auto step = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model) {
        auto cost = cost_of(x, y, model);
        return outputs(cost).updates(sgd(cost, model, {.learning_rate = 0.1}));
    });
    arrays model = start();
    auto w = flat(model);
    double first = 0, last = 0;
    for (int i = 0; i < 5; ++i) {
        const auto g = gradient_at(model);
        for (std::size_t k = 0; k < w.size(); ++k) w[k] -= 0.1 * g[k];
        last = step(input, target, model);
        if (i == 0) first = last;
        check_equal(flat(model), w);
    }
    CHECK(last < first);
}

TEST_CASE("sgd on one parameter, with a rate that is an argument") {
    auto step = function<cpu>([](vector<float> x, shared<vector<float>> w, scalar<float> rate) {
        auto cost = sum(sqr(w - x));
        return outputs(cost).updates(sgd(cost, w, {.learning_rate = rate}));
    });
    array<float, 1> w{1, 2, 3};
    const array<float, 1> x{0, 4, 3};
    CHECK(static_cast<float>(step(x, w, 0.25f)) == 5);
    CHECK(w == array<float, 1>{0.5f, 3, 3});
    step(x, w, 0.5f);
    CHECK(w == x);
}

namespace {

// v <- mu v + g; w <- w - rate v, or w - rate (g + mu v)
void momentum_step(std::vector<double>& w, std::vector<double>& v, const std::vector<double>& g, double rate, double mu,
                   bool nesterov) {
    for (std::size_t k = 0; k < w.size(); ++k) {
        v[k] = mu * v[k] + g[k];
        w[k] -= rate * (nesterov ? g[k] + mu * v[k] : v[k]);
    }
}

template <class Step, class... Rates> void follow(Step& step, bool nesterov, double rate, double mu, Rates... rates) {
    arrays model = start();
    auto state = momentum_state<arrays>::zeros_like(model);
    auto w = flat(model);
    std::vector<double> v(w.size());
    for (int i = 0; i < 5; ++i) {
        momentum_step(w, v, gradient_at(model), rate, mu, nesterov);
        step(input, target, model, state, rates...);
        check_equal(flat(model), w);
        check_equal(flat(state.velocity), v);
    }
}

}  // namespace

TEST_CASE("momentum") {
    auto step = function<cpu>(
        [](matrix<double> x, matrix<double> y, shared<net<symbol>> model, shared<momentum_state<net<symbol>>> state) {
            return updates(momentum(cost_of(x, y, model), model, state, {.learning_rate = 0.05, .momentum = 0.8}));
        });
    follow(step, false, 0.05, 0.8);
}

TEST_CASE("momentum of Nesterov, its numbers traced") {
    auto step = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model,
                                 shared<momentum_state<net<symbol>>> state, scalar<double> rate, scalar<double> mu) {
        return updates(
            momentum(cost_of(x, y, model), model, state, {.learning_rate = rate, .momentum = mu, .nesterov = true}));
    });
    follow(step, true, 0.1, 0.7, 0.1, 0.7);
}

TEST_CASE("momentum on one parameter") {
    auto step = function<cpu>([](shared<vector<double>> w, shared<momentum_state<symbol<double, 1>>> state) {
        return updates(momentum(sum(sqr(w)) / 2, w, state, {.learning_rate = 0.5, .momentum = 0.5}));
    });
    array<double, 1> w{1, -2};
    auto state = momentum_state<array<double, 1>>::zeros_like(w);
    step(w, state);
    CHECK(w == array<double, 1>{0.5, -1});
    step(w, state);
    CHECK(state.velocity == array<double, 1>{1, -2});
    CHECK(w == array<double, 1>{0, 0});
}
