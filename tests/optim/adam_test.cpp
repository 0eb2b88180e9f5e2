// SPDX-License-Identifier: MIT
#include "optim.hpp"

using namespace croton;
using namespace optim_check;

namespace {

// Algorithm 1 of Kingma and Ba.
struct plain_adam {
    double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    std::vector<double> m, v;
    int t = 0;

    void step(std::vector<double>& w, const std::vector<double>& g) {
        m.resize(w.size());
        v.resize(w.size());
        ++t;
        for (std::size_t k = 0; k < w.size(); ++k) {
            m[k] = beta1 * m[k] + (1 - beta1) * g[k];
            v[k] = beta2 * v[k] + (1 - beta2) * g[k] * g[k];
            const double first = m[k] / (1 - std::pow(beta1, t)), second = v[k] / (1 - std::pow(beta2, t));
            w[k] -= rate * first / (std::sqrt(second) + epsilon);
        }
    }
};

template <class Step, class... Rates> void follow(Step& step, plain_adam plain, Rates... rates) {
    arrays model = start();
    auto state = adam_state<arrays>::zeros_like(model);
    auto w = flat(model);
    for (int i = 0; i < 6; ++i) {
        plain.step(w, gradient_at(model));
        step(input, target, model, state, rates...);
        check_equal(flat(model), w);
        check_equal(flat(state.first_moment), plain.m);
        check_equal(flat(state.second_moment), plain.v);
        CHECK(static_cast<std::int64_t>(state.steps) == i + 1);
    }
}

}  // namespace

TEST_CASE("adam") {
    auto step = function<cpu>(
        [](matrix<double> x, matrix<double> y, shared<net<symbol>> model, shared<adam_state<net<symbol>>> state) {
            auto cost = cost_of(x, y, model);
            return outputs(cost).updates(adam(cost, model, state));
        });
    follow(step, {});
}

TEST_CASE("adam, its numbers traced") {
    auto step = function<cpu>([](matrix<double> x, matrix<double> y, shared<net<symbol>> model,
                                 shared<adam_state<net<symbol>>> state, scalar<double> rate, scalar<double> beta1,
                                 scalar<double> beta2, scalar<double> epsilon) {
        return updates(adam(cost_of(x, y, model), model, state,
                            {.learning_rate = rate, .beta1 = beta1, .beta2 = beta2, .epsilon = epsilon}));
    });
    follow(step, {0.02, 0.8, 0.95, 1e-4, {}, {}}, 0.02, 0.8, 0.95, 1e-4);
}

TEST_CASE("adam on one parameter of float") {
    auto step = function<cpu>(
        [](vector<float> x, shared<vector<float>> w, shared<adam_state<symbol<float, 1>>> state, scalar<float> rate) {
            return updates(adam(sum(sqr(w - x)), w, state, {.learning_rate = rate}));
        });
    array<float, 1> w{1, 2, 3};
    const array<float, 1> x{0.5f, 4, 3};
    auto state = adam_state<array<float, 1>>::zeros_like(w);
    plain_adam plain;
    std::vector<double> numbers{1, 2, 3};
    for (int i = 0; i < 20; ++i) {
        plain.rate = 0.1 / (1 + i);
        plain.step(numbers, {2 * (numbers[0] - 0.5), 2 * (numbers[1] - 4), 2 * (numbers[2] - 3)});
        step(x, w, state, static_cast<float>(plain.rate));
        for (std::int64_t k = 0; k < 3; ++k)
            CHECK(w(k) == doctest::Approx(numbers[static_cast<std::size_t>(k)]).epsilon(1e-5));
    }
    CHECK(static_cast<std::int64_t>(state.steps) == 20);
}
