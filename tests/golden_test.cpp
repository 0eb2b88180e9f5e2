// SPDX-License-Identifier: MIT
// What NumPy computes: tests/golden/make_golden.py wrote the inputs and the results.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include <croton/array/npy.hpp>
#include <croton/croton.hpp>

using namespace croton;

namespace {

template <class T, int Rank> array<T, Rank> golden(const std::string& name) {
    const auto folder = std::filesystem::path(__FILE__).parent_path() / "golden" / "values";
    return load_npy<array<T, Rank>>(folder / (name + ".npy"));
}

template <class A> void same(const A& got, const std::string& name) {
    using T = typename A::value_type;
    const auto want = golden<T, A::rank>(name);
    CAPTURE(name);
    REQUIRE(got.extents() == want.extents());
    auto w = want.begin();
    for (const T x : got) {
        if constexpr (std::is_floating_point_v<T>) CHECK(std::fabs(x - *w) <= 1e-12 * (1 + std::fabs(*w)));
        else CHECK(x == *w);
        ++w;
    }
}

}  // namespace

TEST_CASE("one step of logistic regression") {
    auto step = function<cpu>([](matrix<double> x, croton::vector<double> y, shared<croton::vector<double>> w, shared<scalar<double>> b) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
    auto w = golden<double, 1>("logistic_w");
    auto b = golden<double, 0>("logistic_b");
    const auto [prediction, xent] = step(golden<double, 2>("logistic_x"), golden<double, 1>("logistic_y"), w, b);
    same(xent, "logistic_xent");
    same(prediction, "logistic_prediction");
    same(w, "logistic_new_w");
    same(b, "logistic_new_b");
}

TEST_CASE("the gradients of a network of two layers") {
    auto f = function<cpu>([](matrix<double> x, croton::vector<int> label, matrix<double> w1, croton::vector<double> b1, matrix<double> w2, croton::vector<double> b2) {
        auto loss = mean(cross_entropy(dot(relu(dot(x, w1) + b1), w2) + b2, label));
        return std::tuple_cat(std::tuple(loss), grad(loss, w1, b1, w2, b2));
    });
    const auto [loss, gw1, gb1, gw2, gb2] = f(golden<double, 2>("mlp_x"), golden<int, 1>("mlp_label"), golden<double, 2>("mlp_w1"), golden<double, 1>("mlp_b1"),
                                              golden<double, 2>("mlp_w2"), golden<double, 1>("mlp_b2"));
    same(loss, "mlp_loss");
    same(gw1, "mlp_gw1");
    same(gb1, "mlp_gb1");
    same(gw2, "mlp_gw2");
    same(gb2, "mlp_gb2");
}

template <int Axis> void along(const array<double, 3>& x) {
    auto f = function<cpu>([](tensor<double, dynamic, dynamic, dynamic> t) {
        return std::tuple(softmax<Axis>(t), log_softmax<Axis>(t), logsumexp<Axis>(t), sum<Axis>(t), max<Axis>(t), argmin<Axis>(t));
    });
    const auto [p, log_p, l, s, m, at] = f(x);
    const std::string axis = std::to_string(Axis);
    same(p, "array_softmax_" + axis);
    same(log_p, "array_log_softmax_" + axis);
    same(l, "array_logsumexp_" + axis);
    same(s, "array_sum_" + axis);
    same(m, "array_max_" + axis);
    same(at, "array_argmin_" + axis);
}

TEST_CASE("softmax, its family and reductions along each axis") {
    const auto x = golden<double, 3>("array_x");
    along<0>(x);
    along<1>(x);
    along<2>(x);
}

TEST_CASE("reductions over several axes, and broadcasting") {
    auto f = function<cpu>([](tensor<double, dynamic, dynamic, dim("c")> x, croton::vector<double, dim("c")> row, matrix<double, dynamic, 1> column) {
        return std::tuple(mean(x), prod<0, 2>(x), all<1>(x > -2), where(x > row, x * column - row, tanh(x / (1 + sqr(column)))));
    });
    const auto [m, p, a, b] = f(golden<double, 3>("array_x"), golden<double, 1>("array_row"), golden<double, 2>("array_column"));
    same(m, "array_mean");
    same(p, "array_prod_02");
    same(a, "array_all");
    same(b, "array_broadcast");
}
