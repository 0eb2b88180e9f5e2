// SPDX-License-Identifier: MIT
#include "optim.hpp"

using namespace croton;
using namespace optim_check;

namespace {

template <class Step, class... Rates>
void follow(Step& step, double rate, double decay, double epsilon, Rates... rates) {
    arrays model = start();
    auto state = rmsprop_state<arrays>::zeros_like(model);
    auto w = flat(model);
    std::vector<double> s(w.size());
    for (int i = 0; i < 5; ++i) {
        const auto g = gradient_at(model);
        for (std::size_t k = 0; k < w.size(); ++k) {
            s[k] = decay * s[k] + (1 - decay) * g[k] * g[k];
            w[k] -= rate * g[k] / (std::sqrt(s[k]) + epsilon);
        }
        step(input, target, model, state, rates...);
        check_equal(flat(model), w);
        check_equal(flat(state.mean_square), s);
    }
}

}  // namespace

TEST_CASE("rmsprop") {
    auto step = function<cpu>(
        [](matrix<double> x, matrix<double> y, shared<net<symbol>> model, shared<rmsprop_state<net<symbol>>> state) {
            return updates(rmsprop(cost_of(x, y, model), model, state));
        });
    follow(step, 1e-3, 0.9, 1e-8);
}

TEST_CASE("rmsprop, its numbers traced") {
    auto step = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model,
                                 shared<rmsprop_state<net<symbol>>> state, scalar<double> rate, scalar<double> decay,
                                 scalar<double> epsilon) {
        return updates(
            rmsprop(cost_of(x, y, model), model, state, {.learning_rate = rate, .decay = decay, .epsilon = epsilon}));
    });
    follow(step, 0.05, 0.6, 1e-3, 0.05, 0.6, 1e-3);
}

TEST_CASE("rmsprop on one parameter") {
    auto step = function<cpu>([](shared<scalar<double>> w, shared<rmsprop_state<symbol<double, 0>>> state) {
        return updates(rmsprop(sqr(w), w, state, {.learning_rate = 0.5, .decay = 0.75}));
    });
    array<double, 0> w;
    w = 3;
    rmsprop_state<array<double, 0>> state{};
    step(w, state);
    CHECK(static_cast<double>(state.mean_square) == doctest::Approx(9));
    CHECK(static_cast<double>(w) == doctest::Approx(2));
}

TEST_CASE("rmsprop as Graves has it: momentum, centred, epsilon inside the root, and a rate of the call") {
    auto step = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model,
                                 shared<centered_rmsprop_state<net<symbol>>> state, scalar<double> rate) {
        const rmsprop_options options{.learning_rate = rate, .decay = 0.95, .epsilon = 1e-4, .momentum = 0.9, .epsilon_in_root = true};
        return updates(rmsprop(grad(cost_of(x, y, model), model), model, state, options));
    });
    arrays model = start();
    auto state = centered_rmsprop_state<arrays>::zeros_like(model);
    auto w = flat(model);
    std::vector<double> s(w.size()), m(w.size()), v(w.size());
    for (int i = 0; i < 5; ++i) {
        const auto g = gradient_at(model);
        const double rate = 0.01 / (1 + i);
        for (std::size_t k = 0; k < w.size(); ++k) {
            s[k] = 0.95 * s[k] + 0.05 * g[k] * g[k];
            m[k] = 0.95 * m[k] + 0.05 * g[k];
            v[k] = 0.9 * v[k] + g[k] / std::sqrt(s[k] - m[k] * m[k] + 1e-4);
            w[k] -= rate * v[k];
        }
        step(input, target, model, state, rate);
        check_equal(flat(model), w);
        check_equal(flat(state.velocity), v);
    }
}

TEST_CASE("rmsprop, centred, where every gradient is the same") {
    auto step = function<cpu>([](shared<vector<float>> w, shared<centered_rmsprop_state<symbol<float, 1>>> state) {
        return updates(rmsprop(sum(0.1f * w), w, state, {.learning_rate = 1e-6}));
    });
    array<float, 1> w(100);
    auto state = centered_rmsprop_state<array<float, 1>>::zeros_like(w);
    for (int i = 0; i < 500; ++i) step(w, state);
    CHECK((w(0) < 0 && std::isfinite(w(0)) && w(0) == w(99)));
}
