// SPDX-License-Identifier: MIT
#include <map>

#include "optim.hpp"

using namespace croton;

namespace {

// Adam on the rows that have a gradient; what comes twice to a row is one gradient.
struct plain_rows {
    double rate = 0.1, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    array<double, 2> m, v;
    int t = 0;

    void step(array<double, 2>& w, const std::map<std::int64_t, std::vector<double>>& gradients) {
        ++t;
        for (const auto& [row, g] : gradients)
            for (std::int64_t k = 0; k < w.extent(1); ++k) {
                const double x = g[static_cast<std::size_t>(k)];
                m(row, k) = beta1 * m(row, k) + (1 - beta1) * x;
                v(row, k) = beta2 * v(row, k) + (1 - beta2) * x * x;
                w(row, k) -= rate * (m(row, k) / (1 - std::pow(beta1, t))) / (std::sqrt(v(row, k) / (1 - std::pow(beta2, t))) + epsilon);
            }
    }
};

constexpr auto train = [](matrix<double> y, vector<int> a, vector<std::int64_t> b, shared<matrix<double>> w, shared<adam_state<symbol<double, 2>>> state) {
    auto cost = sum(sqr(take<0>(w, a) - y)) + sum(w(b) * 3.0);
    return outputs(cost).updates(lazy_adam(cost, w, state, {.learning_rate = 0.1}));
};

double furthest(const array<double, 2>& a, const array<double, 2>& b) {
    double d = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) d = std::max(d, std::fabs(a.data()[i] - b.data()[i]));
    return d;
}

}  // namespace

TEST_CASE("rows that are read, also several times and by several indices") {
    auto f = function<cpu>(train);
    array<double, 2> w{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
    auto by_hand = w;
    const array<double, 2> y{{1, 1}, {0, 0}, {2, 2}};
    auto state = adam_state<array<double, 2>>::zeros_like(w);
    plain_rows plain{.m = state.first_moment, .v = state.second_moment};
    const std::vector<std::array<int, 5>> indices{{3, 1, 3, 0, -1}, {1, 1, 1, 1, -4}, {-5, 4, 2, 3, 3}, {2, -3, 2, 0, 0}};
    for (const auto& i : indices) {
        std::map<std::int64_t, std::vector<double>> gradients;
        for (std::size_t q = 0; q < 5; ++q) {
            const std::int64_t row = i[q] < 0 ? i[q] + 5 : i[q];
            auto& g = gradients[row];
            g.resize(2);
            for (std::size_t k = 0; k < 2; ++k) {
                const auto column = static_cast<std::int64_t>(k);
                g[k] += q < 3 ? 2 * (by_hand(row, column) - y(static_cast<std::int64_t>(q), column)) : 3;
            }
        }
        plain.step(by_hand, gradients);
        const array<int, 1> a{i[0], i[1], i[2]};
        const array<std::int64_t, 1> b{i[3], i[4]};
        f(y, a, b, w, state);
        CHECK(furthest(w, by_hand) < 1e-13);
        CHECK(furthest(state.first_moment, plain.m) < 1e-13);
        CHECK(furthest(state.second_moment, plain.v) < 1e-13);
    }
    CHECK_THROWS_AS(f(y, array<int, 1>{0, 5, 1}, array<std::int64_t, 1>{0}, w, state), value_error);
    f(array<double, 2>(0, 2), array<int, 1>(0), array<std::int64_t, 1>(0), w, state);
    CHECK(furthest(w, by_hand) < 1e-13);
    state.second_moment = array<double, 2>(4, 2);
    CHECK_THROWS_AS(f(y, array<int, 1>{0, 3, 1}, array<std::int64_t, 1>{0}, w, state), shape_error);
}

TEST_CASE("no step passes over the table or its moments") {
    const std::string text = explain(function<cpu>([](vector<int> ids, shared<matrix<float, dim("row"), 3>> table, shared<adam_state<symbol<float, 2>>> state) {
        return updates(lazy_adam(sum(sqr(take<0>(named(table, "table"), ids))), table, state));
    }));
    CHECK(text.find("routine  table <- set_at<0>(table,") != std::string::npos);
    CHECK(text.find("loop over [n1") != std::string::npos);
    CHECK(text.find("loop over [row") == std::string::npos);
    const auto bytes = [](std::int64_t rows) {
        auto step = function<cpu>([](vector<int> ids, shared<matrix<float>> table, shared<adam_state<symbol<float, 2>>> state) {
            return updates(lazy_adam(sum(exp(take<0>(table, ids))), table, state));
        });
        array<float, 2> table(rows, 3);
        auto state = adam_state<array<float, 2>>::zeros_like(table);
        long long all = 0;
        {
            const profile scope{"step", [&](const profile_data& data) {
                for (const auto& f : data.functions)
                    for (const auto& each : f.steps) all += each.bytes;
            }};
            step(array<int, 1>{1, 0, 1}, table, state);
        }
        return all;
    };
    CHECK(bytes(10) == bytes(1000));
}

TEST_CASE("arrays that are read in another way are updated as by adam, columns and single rows as rows") {
    auto step = function<cpu>([](vector<int> at, scalar<int> i, shared<matrix<double>> table, shared<adam_state<symbol<double, 2>>> a, shared<matrix<double>> lazily, shared<adam_state<symbol<double, 2>>> b,
                                 shared<matrix<double>> columns, shared<adam_state<symbol<double, 2>>> c, shared<matrix<double>> one, shared<adam_state<symbol<double, 2>>> d) {
        const auto cost = [&](const auto& w) { return sum(sqr(take<0>(w, at))) + sum(w); };
        return updates(adam(cost(table), table, a), lazy_adam(cost(lazily), lazily, b), lazy_adam(sum(sqr(take<1>(columns, at))), columns, c), lazy_adam(sum(one(i)), one, d));
    });
    array<double, 2> table{{1, 2}, {3, 4}, {5, 6}}, lazily = table, columns = table, one = table;
    auto a = adam_state<array<double, 2>>::zeros_like(table), b = a, c = a, d = a;
    step(array<int, 1>{1, -1, 1}, array<int, 0>(-1), table, a, lazily, b, columns, c, one, d);
    CHECK(table == lazily);
    CHECK(a.second_moment == b.second_moment);
    CHECK(furthest(columns, array<double, 2>{{1, 1.999}, {3, 3.999}, {5, 5.999}}) < 1e-8);
    CHECK(furthest(one, array<double, 2>{{1, 2}, {3, 4}, {4.999, 5.999}}) < 1e-8);
}
