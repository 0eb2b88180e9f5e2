// SPDX-License-Identifier: MIT
// An ordinary differential equation fitted through its solver: what a damped pendulum is and where it was let go, out of a noisy record of
// its angle. The steps of the solver are the turns of a scan, and the gradient goes backwards through all of them. 10_pendulum.txt is what NumPy says
// (tests/examples/pendulum.py), whose derivatives are those of complex steps, and whose solver is looked at beside SciPy's.
#include <croton/croton.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <tuple>

using namespace croton;

namespace {

// angle'' = -stiffness * sin(angle) - damping * angle', from rest at `start`.
template <template <class, int> class Array> struct pendulum {
    Array<double, 0> stiffness, damping, start;
};

template <template <class, int> class Array> struct motion {
    Array<double, 0> angle, speed;
};

constexpr double duration = 0.05;  // of a turn

constexpr auto slope = [](const auto& p, const auto& angle, const auto& speed) {
    return std::tuple(speed, -p.stiffness * sin(angle) - p.damping * speed);
};

// One step of the classical method of Runge and Kutta.
constexpr auto runge_kutta = [](const auto& p, const auto& now) {
    constexpr double h = duration;
    auto [a1, s1] = slope(p, now.angle, now.speed);
    auto [a2, s2] = slope(p, now.angle + h / 2 * a1, now.speed + h / 2 * s1);
    auto [a3, s3] = slope(p, now.angle + h / 2 * a2, now.speed + h / 2 * s2);
    auto [a4, s4] = slope(p, now.angle + h * a3, now.speed + h * s3);
    auto next = now;
    next.angle = now.angle + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    next.speed = now.speed + h / 6 * (s1 + 2 * s2 + 2 * s3 + s4);
    return next;
};

// The angles at the start and after each turn but the last.
constexpr auto angles = [](const auto& p, auto turns) {
    motion<symbol> begin;
    begin.angle = p.start;
    begin.speed = 0 * p.start;
    auto [end, course] = scan([&](auto now) { return step(runge_kutta(p, now), now.angle); }, begin, turns);
    return course;
};

// Normal numbers that any program can have: of evenly spread ones, which the multiples of irrational numbers are, by Box and Muller.
array<double, 1> errors(std::int64_t count) {
    array<double, 1> x(count);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto k = static_cast<double>(i + 1);
        x(i) = std::sqrt(-2 * std::log(std::fmod(k * std::numbers::sqrt2, 1.0))) * std::cos(2 * std::numbers::pi * std::fmod(k * std::numbers::sqrt3, 1.0));
    }
    return x;
}

}  // namespace

int main() {
    using parameters = pendulum<on<cpu>::array>;
    auto course = function<cpu>("course", [](pendulum<symbol> p) { return angles(p, times(200)); });
    auto train = function<cpu>("train", [](vector<double> measured, shared<pendulum<symbol>> p, shared<adam_state<pendulum<symbol>>> state) {
        auto cost = mean(sqr(angles(p, times(measured.extent(0))) - measured));
        return outputs(cost).updates(adam(cost, p, state, {.learning_rate = 0.02}));
    });

    const parameters truth{4.0, 0.3, 1.2};
    // Ten seconds of a pendulum, measured with an error of 0.05.
    const array<double, 1> measured = course(truth) + 0.05 * errors(200);

    parameters p{3.0, 0.0, 1.0};
    auto state = adam_state<parameters>::zeros_like(p);
    array<double, 0> cost;
    std::puts(" step    cost  stiffness  damping  start");
    constexpr int steps = 400;
    for (int step = 0; step <= steps; ++step) {
        const parameters before = p;
        train.call_into(std::tie(cost), measured, p, state);
        if (step % 100 == 0)
            std::printf("%5d  %6.4f  %9.3f  %7.3f  %5.3f\n", step, cost(), before.stiffness(), before.damping(), before.start());
    }
    std::printf("truth          %9.3f  %7.3f  %5.3f\n", truth.stiffness(), truth.damping(), truth.start());

    save(p, "pendulum.npz");
    parameters again;
    load(again, "pendulum.npz");
    const bool same = again.stiffness() == p.stiffness() && again.damping() == p.damping() && again.start() == p.start();
    std::printf("saved to pendulum.npz; loaded again, it is %s\n", same ? "the same" : "ANOTHER");
}
