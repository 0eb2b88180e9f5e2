// SPDX-License-Identifier: MIT
// How likely 1,000 measured places are by the filter of Kalman for a place and a speed, and the gradient by the four variances of the motion and that of the measurement: matrices of 2 x 2 in
// every turn, one after the other. By hand they are numbers, with which the derivatives go along, forwards.
#include "common.hpp"

#include <array>

namespace {

using croton::array;

constexpr int steps = 1000, derivatives = 5;
constexpr double duration = 0.1;

/// A number and its derivatives by the variances.
struct dual {
    double value = 0;
    std::array<double, derivatives> by{};

    template <class F> static dual of(double value, const F& slope) {
        dual result{value, {}};
        for (std::size_t i = 0; i < derivatives; ++i) result.by[i] = slope(i);
        return result;
    }
    friend dual operator+(const dual& a, const dual& b) {
        return of(a.value + b.value, [&](std::size_t i) { return a.by[i] + b.by[i]; });
    }
    friend dual operator-(const dual& a, const dual& b) {
        return of(a.value - b.value, [&](std::size_t i) { return a.by[i] - b.by[i]; });
    }
    friend dual operator*(const dual& a, const dual& b) {
        return of(a.value * b.value, [&](std::size_t i) { return a.value * b.by[i] + b.value * a.by[i]; });
    }
    friend dual operator*(double a, const dual& b) {
        return of(a * b.value, [&](std::size_t i) { return a * b.by[i]; });
    }
    friend dual operator/(const dual& a, const dual& b) {
        const double ratio = a.value / b.value, inverse = 1 / b.value;
        return of(ratio, [&](std::size_t i) { return (a.by[i] - ratio * b.by[i]) * inverse; });
    }
    friend dual log(const dual& a) {
        return of(std::log(a.value), [&](std::size_t i) { return a.by[i] / a.value; });
    }
};

// The place is measured: what is seen of a state is its first number.
template <class Number> Number by_hand(const array<double, 1>& measured, const std::array<Number, 4>& q, const Number& r) {
    using std::log;
    constexpr double h = duration;
    Number place{}, speed{}, cost{};
    std::array<Number, 4> p{Number{1}, Number{}, Number{}, Number{1}};
    for (int t = 0; t < steps; ++t) {
        const Number ahead = place + h * speed, upper = p[0] + h * p[2], right = p[1] + h * p[3];
        const std::array<Number, 4> spread{upper + h * right + q[0], right + q[1], p[2] + h * p[3] + q[2], p[3] + q[3]};
        const Number variance = spread[0] + r, off = Number{measured.data()[t]} - ahead, gain = spread[0] / variance, other = spread[2] / variance;
        cost = cost + log(variance) + off * off / variance;
        place = ahead + gain * off;
        speed = speed + other * off;
        p = {spread[0] - gain * spread[0], spread[1] - gain * spread[2], spread[2] - other * spread[0], spread[3] - other * spread[2]};
    }
    return 0.5 * cost;
}

/// As a textbook writes it.
constexpr auto cost_of = [](auto measured, auto a, auto q, auto c, auto r, auto m0, auto p0) {
    using namespace croton;
    auto [last, parts] = scan([&](auto state, auto z) {
        auto [m, p] = state;
        auto ahead = dot(a, m);
        auto spread = dot(dot(a, p), transpose(a)) + q;
        auto seen = dot(spread, c);
        auto variance = dot(c, seen) + r;
        auto off = z - dot(c, ahead);
        auto gain = seen / variance;
        return step(std::tuple(ahead + gain * off, spread - outer(gain, seen)), log(variance) + sqr(off) / variance);
    }, std::tuple(m0, p0), measured);
    return 0.5 * sum(parts);
};

auto croton_cost() {
    using namespace croton;
    return function<cpu>("kalman", [](vector<double> measured, matrix<double, 2, 2> a, matrix<double, 2, 2> q, vector<double, 2> c, scalar<double> r, vector<double, 2> m0, matrix<double, 2, 2> p0) {
        return cost_of(measured, a, q, c, r, m0, p0);
    });
}
auto croton_gradient() {
    using namespace croton;
    return function<cpu>("kalman_gradient", [](vector<double> measured, matrix<double, 2, 2> a, matrix<double, 2, 2> q, vector<double, 2> c, scalar<double> r, vector<double, 2> m0, matrix<double, 2, 2> p0) {
        auto cost = cost_of(measured, a, q, c, r, m0, p0);
        auto [by_q, by_r] = grad(cost, q, r);
        return outputs(cost, by_q, by_r);
    });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<double, 1> measured(steps);
    for (int t = 0; t < steps; ++t) measured(t) = std::sin(0.05 * t);
    const array<double, 2> a{{1, duration}, {0, 1}}, q{{0.01, 0.001}, {0.001, 0.02}}, p0{{1, 0}, {0, 1}};
    const array<double, 1> c{1, 0}, m0{0, 0};
    const array<double, 0> r = 0.1;
    array<double, 0> cost, by_r;
    array<double, 2> by_q(2, 2);
    const std::array<double, 4> of_q{q(0, 0), q(0, 1), q(1, 0), q(1, 1)};
    auto value = croton_cost();
    auto gradient = croton_gradient();
    double expected = by_hand(measured, of_q, r());

    bench::table likely("kalman: likelihood of 1,000 measurements, 2 states, float64");
    value.call_into(cost, measured, a, q, c, r, m0, p0);
    likely.check("croton, raw", std::abs(cost() / expected - 1), 1e-12);
    likely.row("croton", 0, [&] { value.call_into(cost, measured, a, q, c, r, m0, p0); });
    likely.row("raw: numbers, by hand", 0, [&] { expected = by_hand(measured, of_q, r()); });
    likely.measure();

    std::array<dual, 4> varied;
    for (std::size_t i = 0; i < 4; ++i) {
        varied[i].value = of_q[i];
        varied[i].by[i] = 1;
    }
    const dual noise{r(), {0, 0, 0, 0, 1}};
    dual forwards = by_hand(measured, varied, noise);
    gradient.call_into(std::tie(cost, by_q, by_r), measured, a, q, c, r, m0, p0);
    bench::table slopes("kalman: likelihood of 1,000 measurements and its 5 derivatives, 2 states, float64");
    slopes.check("cost: croton, raw", std::abs(cost() / forwards.value - 1), 1e-10);
    for (std::size_t i = 0; i < 4; ++i) slopes.check("derivative " + std::to_string(i + 1) + ": croton, raw", std::abs(by_q.data()[i] / forwards.by[i] - 1), 1e-9);
    slopes.check("derivative 5: croton, raw", std::abs(by_r() / forwards.by[4] - 1), 1e-9);
    slopes.row("croton", 0, [&] { gradient.call_into(std::tie(cost, by_q, by_r), measured, a, q, c, r, m0, p0); });
    slopes.row("raw: derivatives by hand, forwards", 0, [&] { forwards = by_hand(measured, varied, noise); });
    slopes.measure();
    return bench::table::finish();
}
