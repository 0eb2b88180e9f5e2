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
