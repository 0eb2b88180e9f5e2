// SPDX-License-Identifier: MIT
// The steps of optimisers against those of PyTorch: a vector on the CPU by its cost, the same numbers as a model on the reference device by gradients.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct parts {
    A<double, 1> front, back;
};
using arrays = parts<on<cpu>::array>;

constexpr auto cost_of = [](const auto& w, const auto& factor) { return sum(sin(w) + factor * sqr(w)); };

void check_way(int row, int step, const double* w) {
    static const auto way = load_npy<array<double, 3>>(std::filesystem::path(__FILE__).parent_path() / "values" / "optimisers.npy");
    for (int k = 0; k < 3; ++k) CHECK(std::fabs(w[k] - way(row, step, k)) < 1e-13);
}

/// `by(what, model, state)` makes the updates.
template <template <class> class State, class By> void check_vector(int row, By) {
    const auto step = function<cpu>([](vector<double> factor, shared<vector<double>> w, shared<State<symbol<double, 1>>> state) {
        return updates(By()(cost_of(w, factor), w, state));
    });
    array<double, 1> w{1, -2, 0.5};
    auto state = State<array<double, 1>>::zeros_like(w);
    for (int i = 0; i < 6; ++i) {
        step(array<double, 1>{1, 0.3, 2}, w, state);
        check_way(row, i, w.data());
    }
}

template <template <class> class State, class By> void check_model(int row, By) {
    const auto step = function<reference>([](parts<symbol> factor, shared<parts<symbol>> w, shared<State<parts<symbol>>> state) {
        return updates(By()(grad(cost_of(w.front, factor.front) + cost_of(w.back, factor.back), w), w, state));
    });
    arrays w{array<double, 1>{1, -2}, array<double, 1>{0.5}};
    const arrays factor{array<double, 1>{1, 0.3}, array<double, 1>{2}};
    auto state = State<arrays>::zeros_like(w);
    for (int i = 0; i < 6; ++i) {
        step(factor, w, state);
        const double all[]{w.front(0), w.front(1), w.back(0)};
        check_way(row, i, all);
    }
}

constexpr auto by_momentum = [](const auto&... x) { return momentum(x..., {.learning_rate = 0.05, .momentum = 0.8}); };
constexpr auto by_nesterov = [](const auto&... x) { return momentum(x..., {.learning_rate = 0.05, .nesterov = true}); };
constexpr auto by_long_nesterov = [](const auto&... x) { return momentum(x..., {.learning_rate = 0.02, .momentum = 0.95, .nesterov = true}); };
constexpr auto by_adam = [](const auto&... x) { return adam(x..., {.learning_rate = 0.05}); };
constexpr auto by_short_adam = [](const auto&... x) { return adam(x..., {.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3}); };
constexpr auto by_adamw = [](const auto&... x) { return adamw(x..., {.learning_rate = 0.05, .weight_decay = 0.1}); };
constexpr auto by_adagrad = [](const auto&... x) { return adagrad(x..., {.learning_rate = 0.1}); };
constexpr auto by_wide_adagrad = [](const auto&... x) { return adagrad(x..., {.learning_rate = 0.2, .epsilon = 1e-2}); };
constexpr auto by_adadelta = [](const auto&... x) { return adadelta(x..., {.learning_rate = 0.5, .decay = 0.8, .epsilon = 1e-5}); };
constexpr auto by_rmsprop = [](const auto&... x) { return rmsprop(x..., {.learning_rate = 0.05}); };
constexpr auto by_moving_rmsprop = [](const auto&... x) {
    return rmsprop(x..., {.learning_rate = 0.02, .decay = 0.95, .epsilon = 1e-4, .momentum = 0.9});
};

}  // namespace

TEST_CASE("sgd") {
    const auto step = function<cpu>([](vector<double> factor, shared<vector<double>> w) { return updates(sgd(cost_of(w, factor), w, {.learning_rate = 0.05})); });
    array<double, 1> w{1, -2, 0.5};
    for (int i = 0; i < 6; ++i) {
        step(array<double, 1>{1, 0.3, 2}, w);
        check_way(8, i, w.data());
    }
}
TEST_CASE("momentum") { check_vector<momentum_state>(9, by_momentum); }
TEST_CASE("momentum of Nesterov, long") { check_vector<momentum_state>(10, by_long_nesterov); }
TEST_CASE("momentum of Nesterov") { check_vector<momentum_state>(0, by_nesterov); }
TEST_CASE("adam") { check_vector<adam_state>(1, by_adam); }
TEST_CASE("adam that forgets soon") { check_vector<adam_state>(11, by_short_adam); }
TEST_CASE("adamw") { check_vector<adam_state>(2, by_adamw); }
TEST_CASE("adagrad") { check_vector<adagrad_state>(3, by_adagrad); }
TEST_CASE("adagrad with a wide epsilon") { check_vector<adagrad_state>(12, by_wide_adagrad); }
TEST_CASE("adadelta") { check_vector<adadelta_state>(4, by_adadelta); }
TEST_CASE("rmsprop") { check_vector<rmsprop_state>(5, by_rmsprop); }
TEST_CASE("rmsprop with momentum") { check_vector<rmsprop_momentum_state>(6, by_moving_rmsprop); }
TEST_CASE("rmsprop, centred") { check_vector<centered_rmsprop_state>(7, by_moving_rmsprop); }

TEST_CASE("momentum of Nesterov of a model") { check_model<momentum_state>(10, by_long_nesterov); }
TEST_CASE("adamw of a model") { check_model<adam_state>(2, by_adamw); }
TEST_CASE("adagrad of a model") { check_model<adagrad_state>(3, by_adagrad); }
TEST_CASE("adadelta of a model") { check_model<adadelta_state>(4, by_adadelta); }
TEST_CASE("rmsprop of a model, centred") { check_model<centered_rmsprop_state>(7, by_moving_rmsprop); }

TEST_CASE("adam of the rows that are read") {
    const auto way = load_npy<array<double, 3>>(std::filesystem::path(__FILE__).parent_path() / "values" / "optimisers_of_rows.npy");
    const auto step = function<cpu>([](vector<int> rows, shared<matrix<double>> table, shared<adam_state<symbol<double, 2>>> state) {
        return updates(lazy_adam(sum(sin(take<0>(table, rows))), table, state, {.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-15}));
    });
    array<double, 2> table{{1, 2}, {3, -4}, {0.5, 6}, {-7, 8}, {9, 1}};
    auto state = adam_state<array<double, 2>>::zeros_like(table);
    const array<int, 2> rows{{3, 1, 3}, {1, 1, 1}, {0, 3, 1}, {3, 0, 0}};
    for (std::int64_t i = 0; i < 4; ++i) {
        step(rows[i], table, state);
        for (std::int64_t k = 0; k < 10; ++k) CHECK(std::fabs(table.data()[k] - way[i].data()[k]) < 1e-13);
    }
}
