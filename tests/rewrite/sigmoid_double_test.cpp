// SPDX-License-Identifier: MIT
// The sigmoid and softplus families in double: values and gradients as exact at +-1e4 as at 0.
#include "rewrite/stable_values.hpp"

using namespace stable_values;

namespace {

using T = double;
using V = croton::vector<T, dim("n")>;

}  // namespace

TEST_CASE("values") {
    auto f = function<cpu>([](V x) {
        return std::tuple(log(1 / (1 + exp(-x))), log(1 - 1 / (1 + exp(-x))), log(1 + exp(x)), exp(x) / (1 + exp(x)), 2 / (1 + exp(x)),
                          exp(-x) * sigmoid(x), 1 - sigmoid(x), exp(x) - 1, sigmoid(x) / (1 - sigmoid(x)),
                          log(1 - exp(-abs(x))), softplus(x) - x, log(3 * sigmoid(x)));
    });
    const auto at = points<T>();
    const auto r = f(to_array(at));
    expect("log sigmoid", std::get<0>(r), at, [](real x) { return -softplus_at(-x); });
    expect("log(1 - sigmoid)", std::get<1>(r), at, [](real x) { return -softplus_at(x); });
    expect("softplus", std::get<2>(r), at, [](real x) { return softplus_at(x); });
    expect("sigmoid", std::get<3>(r), at, [](real x) { return sigmoid_at(x); });
    expect("2 sigmoid(-x)", std::get<4>(r), at, [](real x) { return 2 * sigmoid_at(-x); });
    expect("sigmoid(-x)", std::get<5>(r), at, [](real x) { return sigmoid_at(-x); });
    expect("1 - sigmoid", std::get<6>(r), at, [](real x) { return sigmoid_at(-x); });
    expect("expm1", std::get<7>(r), at, [](real x) { return std::expm1(x); });
    expect("odds", std::get<8>(r), at, [](real x) { return std::exp(x); });
    expect("log1mexp", std::get<9>(r), at, [](real x) { return log1mexp_at(-std::fabs(x)); });
    expect("softplus(-x)", std::get<10>(r), at, [](real x) { return softplus_at(-x); });
    expect("log 3 sigmoid", std::get<11>(r), at, [](real x) { return std::log(real(3)) - softplus_at(-x); }, 16, std::numeric_limits<T>::epsilon());
}

TEST_CASE("gradients") {
    auto f = function<cpu>([](V x) {
        return std::tuple(grad(sum(log(1 / (1 + exp(-x)))), x), grad(sum(log(1 - sigmoid(x))), x), grad(sum(log(1 + exp(x))), x),
                          grad(sum(exp(x) / (1 + exp(x))), x), grad(sum(exp(x) - 1), x), grad(sum(sigmoid(x) / (1 - sigmoid(x))), x),
                          grad(sum(log(1 + x * x)), x));
    });
    const auto at = points<T>();
    const auto r = f(to_array(at));
    expect("log sigmoid", std::get<0>(r), at, [](real x) { return sigmoid_at(-x); });
    expect("log(1 - sigmoid)", std::get<1>(r), at, [](real x) { return -sigmoid_at(x); });
    expect("softplus", std::get<2>(r), at, [](real x) { return sigmoid_at(x); });
    expect("sigmoid", std::get<3>(r), at, [](real x) { return sigmoid_at(x) * sigmoid_at(-x); }, 16, std::numeric_limits<T>::epsilon());
    expect("expm1", std::get<4>(r), at, [](real x) { return std::exp(x); });
    expect("odds", std::get<5>(r), at, [](real x) { return std::exp(x); });
}

TEST_CASE("cross-entropy keeps the digits of a small loss") {
    auto f = function<cpu>([](V x, V y) {
        auto p = 1 / (1 + exp(-x));
        auto loss = -y * log(p) - (1 - y) * log(1 - p);
        return std::tuple(loss, p, grad(sum(loss), x));
    });
    for (const T label : {T(0), T(1)}) {
        auto at = points<T>();
        at.resize(at.size() - 2);  // an infinite logit times 0 is NaN
        array<T, 1> y(static_cast<std::int64_t>(at.size()));
        for (T& v : y) v = label;
        const auto [loss, p, g] = f(to_array(at), y);
        expect("loss", loss, at, [&](real x) { return softplus_at(label == 1 ? -x : x); });
        expect("p", p, at, [](real x) { return sigmoid_at(x); });
        expect("gradient", g, at, [&](real x) { return sigmoid_at(x) - label; }, 16, std::numeric_limits<T>::epsilon());
    }
}

TEST_CASE("below views, next to other factors") {
    auto f = function<cpu>([](V x, V w) {
        auto column = newaxis<1>(sigmoid(x));
        auto loss = -sum(w * reshape<dynamic>(log(1 - column)));
        return std::tuple(reshape<dynamic>(log(column)), loss, grad(loss, x), w * exp(x) * 2 / (1 + exp(x)) - w);
    });
    auto at = points<T>();
    at.resize(at.size() - 2);
    array<T, 1> w(static_cast<std::int64_t>(at.size()));
    for (T& v : w) v = T(0.5);
    const auto [a, loss, g, product] = f(to_array(at), w);
    real total = 0;
    for (const T x : at) total += softplus_at(x) / 2;
    expect("log sigmoid", a, at, [](real x) { return -softplus_at(-x); });
    CHECK(close(static_cast<T>(loss), total, 16));
    expect("gradient", g, at, [](real x) { return sigmoid_at(x) / 2; });
    expect("product", product, at, [](real x) { return sigmoid_at(x) - real(0.5); }, 16, 4 * std::numeric_limits<T>::epsilon());
}
