// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include <croton/croton.hpp>

using namespace croton;

namespace {

// In the order of the rows that PyTorch wrote, and then those that it has not.
constexpr auto rates_of = [](const auto& step) {
    return std::tuple(linear_schedule(0.025, 0.1, 8)(step), polynomial_schedule(0.1, 0, 2, 12)(step), cosine_decay(0.1, 15, 0.02)(step),
                      exponential_decay(0.1, 1, 0.9)(step), exponential_decay(0.1, 4, 0.5, {.staircase = true})(step),
                      piecewise_constant(0.1, {{5, 0.1}, {11, 0.1}})(step), warmup_cosine_decay(0.01, 0.1, 5, 20, 0.01)(step), constant_schedule(0.3)(step),
                      warmup_exponential_decay(0, 0.1, 4, 2, 0.5, {.end = 0.02})(step), cosine_decay(0.1, 15, 0, 2)(step),
                      exponential_decay(0.1, 2, 2, {.begin = 3, .end = 0.3})(step), linear_schedule(1, 2, 0)(step));
};
constexpr int ways = 12;

template <class Rates, std::size_t... I> std::array<double, sizeof...(I)> numbers(const Rates& rates, std::index_sequence<I...>) {
    return {std::get<I>(rates)...};
}

}  // namespace

TEST_CASE("rates by the step, of the host and in a function") {
    const auto f = function<cpu>([](scalar<std::int64_t> step) { return rates_of(step); });
    const auto golden = load_npy<array<double, 2>>(std::filesystem::path(__FILE__).parent_path().parent_path() / "golden" / "values" / "schedules.npy");
    REQUIRE(golden.extent(1) == 20);
    for (int step = 0; step < 20; ++step) {
        const auto host = numbers(rates_of(step), std::make_index_sequence<ways>());
        const auto in_graph = numbers(f(step), std::make_index_sequence<ways>());
        for (unsigned k = 0; k < ways; ++k) {
            CAPTURE(step);
            CAPTURE(k);
            const double x = step, cosine = (1 + std::cos(std::acos(-1) * std::min(x, 15.0) / 15)) / 2;
            const double rest[]{0.3, step < 4 ? 0.1 * x / 4 : std::max(0.1 * std::pow(0.5, (x - 4) / 2), 0.02), 0.1 * cosine * cosine,
                                std::min(0.1 * std::pow(2, std::max(x - 3, 0.0) / 2), 0.3), 2};
            const double wanted = k < 7 ? golden(k, step) : rest[k - 7];
            CHECK(host[k] == doctest::Approx(wanted).epsilon(1e-13));
            CHECK(in_graph[k] == doctest::Approx(wanted).epsilon(1e-13));
        }
    }
}

TEST_CASE("a rate by the counter of an optimiser, and one that the call brings") {
    const auto step = function<cpu>([](shared<vector<float>> w, shared<adam_state<symbol<float, 1>>> state, shared<vector<float>> v,
                                       scalar<double> rate) {
        const auto counted = linear_schedule(0, 0.5, 5)(state.steps);
        return updates(adam(sum(w), w, state, {.learning_rate = counted}), sgd(sum(v), v, {.learning_rate = rate}));
    });
    array<float, 1> w{0, 1}, v{0, 1};
    auto state = adam_state<array<float, 1>>::zeros_like(w);
    double way = 0;
    for (int i = 0; i < 8; ++i) {
        const double rate = linear_schedule(0, 0.5, 5)(i);
        way += rate;
        step(w, state, v, rate);
        CHECK(w(0) == doctest::Approx(-way).epsilon(1e-5));
        CHECK(v(1) == doctest::Approx(1 - way).epsilon(1e-5));
    }
}
