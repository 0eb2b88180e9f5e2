// SPDX-License-Identifier: MIT
// The loops of make_loops.py.
#ifndef CROTON_TESTS_GOLDEN_LOOPS_HPP
#define CROTON_TESTS_GOLDEN_LOOPS_HPP

#include "golden/packed.hpp"

namespace loops {

using namespace croton;
using cube = tensor<double, dynamic, dynamic, dynamic>;

/// A number of all results of a loop, whose slope differs from element to element.
template <class... R> constexpr auto weighed(const std::tuple<R...>& results) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((static_cast<double>(I + 1) * sum(sin(std::get<I>(results)))) + ...);
    }(std::index_sequence_for<R...>());
}
template <class... R, class... A> constexpr auto gradients(const std::tuple<R...>& results, const A&... at) {
    const auto cost = weighed(results);
    return std::tuple{grad(cost, at)...};
}
/// What the Hessian makes of directions that are the arguments, moved and scaled.
template <class... R, class... A> constexpr auto curvature(const std::tuple<R...>& results, const A&... at) {
    const auto along = std::apply([&](const auto&... slope) { return (sum(slope * stop_gradient(0.5 * at - 0.25)) + ...); }, gradients(results, at...));
    return std::tuple{grad(along, at)...};
}

/// Calls a function with the arrays of a file, and compares what it gives with those behind them: in parts of the largest number of each.
template <int... Rank, class F> void check(const std::string& name, const F& f) {
    golden::packed file("loops_" + name);
    // Braces: they are taken one after the other.
    const std::tuple<array<double, Rank>...> arguments{file.take<double, Rank>()...};
    file.check_near(std::apply([&](const auto&... a) { return f(a...); }, arguments), 1e-12);
    file.done();
}

inline constexpr auto cumulative = [](const auto& x) {
    return scan([](auto s, auto e) { return step(s + e, s + e); }, zeros_like(sum<0>(x)), x);
};
inline constexpr auto polynomial = [](const auto& coefficients, const auto& x) {
    return std::tuple(foldl([&](auto p, auto c) { return p * x + c; }, zeros_like(x), coefficients));
};
inline constexpr auto rnn = [](const auto& x, const auto& h, const auto& w, const auto& u, const auto& b) {
    return scan([&](auto before, auto e) {
        auto now = tanh(dot(e, w) + dot(before, u) + b);
        return step(now, now);
    }, h, x);
};
inline constexpr auto lstm = [](const auto& x, const auto& h, const auto& c, const auto& w, const auto& u, const auto& b) {
    auto [state, hs] = scan([&](auto before, auto e) {
        auto gates = dot(e, w) + dot(std::get<0>(before), u) + b;
        auto gate = [&](int k) { return gates(slice(), slice(4 * k, 4 * k + 4)); };
        auto cell = sigmoid(gate(1)) * std::get<1>(before) + sigmoid(gate(0)) * tanh(gate(3));
        auto out = sigmoid(gate(2)) * tanh(cell);
        return step(std::tuple(out, cell), out);
    }, std::tuple(h, c), x);
    return std::tuple(std::get<0>(state), std::get<1>(state), hs);
};
inline constexpr auto backwards = [](const auto& x, const auto& y, const auto& s) {
    return scan([](auto before, auto e) { return step(before * std::get<0>(e) + sum(std::get<1>(e)), before * before); }, s, std::tuple(x, y), {.reverse = true});
};
inline constexpr auto nested = [](const auto& x, const auto& w) {
    auto [last, rows] = scan([&](auto s, auto row) {
        auto [total, parts] = scan([&](auto t, auto e) { return step(tanh(t + e * sum(w * s)), t * sum(s)); }, sum(row * row), row);
        return step(0.5 * s * total + w, std::tuple(total, parts));
    }, w, x);
    return std::tuple_cat(std::tuple(last), rows);
};
inline constexpr auto orbit = [](const auto& p, const auto& start) {
    constexpr double h = 0.1;
    const auto slope = [&](auto s) {
        auto eaten = s(0) * s(1);
        return stack<0>(p(0) * s(0) - p(1) * eaten, p(2) * eaten - p(3) * s(1));
    };
    return scan([&](auto s) {
        auto a = slope(s), b = slope(s + h / 2 * a), c = slope(s + h / 2 * b), d = slope(s + h * c);
        auto next = s + h / 6 * (a + 2 * b + 2 * c + d);
        return step(next, next);
    }, start, times(60));
};
inline constexpr auto truncated = [](const auto& x, const auto& h, const auto& w, const auto& u) {
    return scan([&](auto before, auto e) {
        auto now = tanh(dot(e, w) + dot(before, u));
        return step(now, sum(now));
    }, h, x, {.truncate = 3});
};
inline constexpr auto branch = [](const auto& x, const auto& a) { return std::tuple(cond(a > 0, [&] { return log(a) * exp(x); }, [&] { return x * sqrt(-a); })); };

}  // namespace loops

#endif
