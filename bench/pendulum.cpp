// SPDX-License-Identifier: MIT
// The pendulum of examples/10_pendulum.cpp: how far a record of 200 angles is from what the solver of the differential equation says, and the gradient by its three parameters
// through all steps of Runge and Kutta. By hand the derivatives go along with each number, forwards, which for three of them is little more work.
#include "common.hpp"

#include <array>

namespace {

using croton::array;

constexpr int turns = 200;
constexpr double duration = 0.05;

template <class Number> struct motion {
    Number angle, speed;
};

// One step of the classical method of Runge and Kutta, of expressions and of numbers.
template <class Number> constexpr motion<Number> runge_kutta(const Number& stiffness, const Number& damping, const motion<Number>& now) {
    using croton::sin, std::sin;
    constexpr double h = duration;
    const auto slope = [&](const Number& angle, const Number& speed) { return motion<Number>{speed, -stiffness * sin(angle) - damping * speed}; };
    const auto a = slope(now.angle, now.speed);
    const auto b = slope(now.angle + h / 2 * a.angle, now.speed + h / 2 * a.speed);
    const auto c = slope(now.angle + h / 2 * b.angle, now.speed + h / 2 * b.speed);
    const auto d = slope(now.angle + h * c.angle, now.speed + h * c.speed);
    return {now.angle + h / 6 * (a.angle + 2 * b.angle + 2 * c.angle + d.angle), now.speed + h / 6 * (a.speed + 2 * b.speed + 2 * c.speed + d.speed)};
}

/// A number and its derivatives by stiffness, damping and start.
struct dual {
    double value = 0;
    std::array<double, 3> by{};

    template <class F> static dual of(double value, const F& slope) {
        dual result{value, {}};
        for (std::size_t i = 0; i < 3; ++i) result.by[i] = slope(i);
        return result;
    }
    friend dual operator+(const dual& a, const dual& b) {
        return of(a.value + b.value, [&](std::size_t i) { return a.by[i] + b.by[i]; });
    }
    friend dual operator-(const dual& a, const dual& b) {
        return of(a.value - b.value, [&](std::size_t i) { return a.by[i] - b.by[i]; });
    }
    friend dual operator-(const dual& a) { return dual{} - a; }
    friend dual operator*(const dual& a, const dual& b) {
        return of(a.value * b.value, [&](std::size_t i) { return a.value * b.by[i] + b.value * a.by[i]; });
    }
    friend dual operator*(double a, const dual& b) {
        return of(a * b.value, [&](std::size_t i) { return a * b.by[i]; });
    }
    friend dual sin(const dual& a) {
        const double slope = std::cos(a.value);
        return of(std::sin(a.value), [&](std::size_t i) { return slope * a.by[i]; });
    }
};

using results = std::array<array<double, 0>, 4>;  // the cost, and its derivatives

void by_hand(const array<double, 1>& measured, const std::array<double, 3>& p, results& r) {
    const dual stiffness{p[0], {1, 0, 0}}, damping{p[1], {0, 1, 0}};
    motion<dual> now{{p[2], {0, 0, 1}}, {}};
    dual cost;
    for (int t = 0; t < turns; ++t) {
        const dual off = now.angle - dual{measured(t), {}};
        cost = cost + 1.0 / turns * (off * off);
        now = runge_kutta(stiffness, damping, now);
    }
    *r[0].data() = cost.value;
    for (std::size_t i = 0; i < 3; ++i) *r[i + 1].data() = cost.by[i];
}

auto croton_gradient() {
    using namespace croton;
    return function<cpu>("pendulum", [](tensor<double, turns> measured, scalar<double> stiffness, scalar<double> damping, scalar<double> start) {
        using number = expr<double, 0>;
        auto [end, angles] = scan([&](auto now) {
            const auto next = runge_kutta<number>(stiffness, damping, {std::get<0>(now), std::get<1>(now)});
            return step(std::tuple(next.angle, next.speed), std::get<0>(now));
        }, std::tuple(number(start), number(0 * start)), times(turns));
        auto cost = mean(sqr(angles - measured));
        auto [a, b, c] = grad(cost, stiffness, damping, start);
        return outputs(cost, a, b, c);
    });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<double, 1> measured(turns);
    for (int t = 0; t < turns; ++t) measured(t) = 1.2 * std::cos(0.1 * t) * std::exp(-0.0075 * t);
    const std::array<double, 3> p{3.0, 0.1, 1.0};
    const array<double, 0> stiffness = p[0], damping = p[1], start = p[2];
    results found, expected;
    auto gradient = croton_gradient();
    const auto call = [&] { gradient.call_into(std::tie(found[0], found[1], found[2], found[3]), measured, stiffness, damping, start); };
    call();
    by_hand(measured, p, expected);
    bench::table table("pendulum: cost and 3 derivatives through 200 steps of Runge and Kutta, float64");
    for (std::size_t i = 0; i < 4; ++i)
        table.check(i == 0 ? "cost: croton, raw" : "derivative " + std::to_string(i) + ": croton, raw", std::abs(found[i]() / expected[i]() - 1), 1e-10);
    table.row("croton", 0, call);
    table.row("raw: derivatives by hand, forwards", 0, [&] { by_hand(measured, p, expected); });
    table.measure();
    return bench::table::finish();
}
