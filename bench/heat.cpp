// SPDX-License-Identifier: MIT
// The heat equation of examples/19_heat.cpp: a thousand steps on a plate, and the gradient through all of them. By hand each step is a plain loop, and the gradient goes back
// through the plates that were kept.
#include "common.hpp"

namespace {

using croton::array;

constexpr int points = 65, steps = 1000;
constexpr double rate = 0.2048;  // what a step moves of the difference to the mean of four neighbours, a quarter of which is stable

constexpr auto heat = [](const auto& initial, const auto& conductivity) {
    using namespace croton;
    const auto turn = [&](auto u) {
        constexpr slice in(1, -1);
        auto around = u(slice(2, none), in) + u(slice(none, -2), in) + u(in, slice(2, none)) + u(in, slice(none, -2));
        return step(pad(u(in, in) + rate * conductivity * (around - 4 * u(in, in)), 1));
    };
    return std::get<0>(scan(turn, initial, times(steps)));
};

double around(const double* u) { return u[-points] + u[points] + u[-1] + u[1] - 4 * u[0]; }

void by_hand(const array<double, 2>& initial, double conductivity, array<double, 2>& result) {
    static array<double, 2> other(points, points);
    const double by = rate * conductivity;
    const double* from = initial.data();
    for (int k = 0; k < steps; ++k) {
        double* const to = k % 2 == 0 ? other.data() : result.data();
        for (int i = 1; i + 1 < points; ++i)
            for (int j = 1; j + 1 < points; ++j) to[i * points + j] = from[i * points + j] + by * around(from + i * points + j);
        from = to;
    }
}
static_assert(steps % 2 == 0, "the last step writes the result");

/// The mean square of what is left, and its derivative by the conductivity.
void gradient_by_hand(const array<double, 2>& initial, double conductivity, double& cost, double& slope) {
    constexpr int size = points * points;
    static std::vector<double> kept(static_cast<std::size_t>(steps + 1) * size), back(size), before(size);
    const double by = rate * conductivity;
    std::copy_n(initial.data(), size, kept.data());
    for (int k = 0; k < steps; ++k) {
        const double* const from = kept.data() + k * size;
        double* const to = kept.data() + (k + 1) * size;
        for (int i = 1; i + 1 < points; ++i)
            for (int j = 1; j + 1 < points; ++j) to[i * points + j] = from[i * points + j] + by * around(from + i * points + j);
    }
    cost = slope = 0;
    for (int e = 0; e < size; ++e) {
        const double last = kept[static_cast<std::size_t>(steps) * size + static_cast<std::size_t>(e)];
        cost += last * last / size;
        back[static_cast<std::size_t>(e)] = 2 * last / size;
    }
    // The border of a plate takes no part in the next one, and what a step does is symmetric.
    for (int k = steps; k-- > 0;) {
        const double* const from = kept.data() + k * size;
        for (int i = 1; i + 1 < points; ++i)
            for (int j = 1; j + 1 < points; ++j) slope += rate * back[static_cast<std::size_t>(i * points + j)] * around(from + i * points + j);
        for (int i = 1; i + 1 < points; ++i)
            for (int j = 1; j + 1 < points; ++j) {
                const double* const at = back.data() + i * points + j;
                before[static_cast<std::size_t>(i * points + j)] = at[0] + by * around(at);
            }
        std::swap(back, before);
    }
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<double, 2> u(points, points), found(points, points), expected(points, points);
    for (int i = 1; i + 1 < points; ++i)
        for (int j = 1; j + 1 < points; ++j) u(i, j) = 1 + 0.5 * std::sin(0.1 * i * i + 0.3 * j);
    const array<double, 0> conductivity = 0.7;

    auto cool = croton::function<croton::cpu>("cool", [](croton::tensor<double, points, points> plate, croton::scalar<double> by) { return heat(plate, by); });
    cool.call_into(std::tie(found), u, conductivity);
    by_hand(u, conductivity(), expected);
    bench::table forward("heat equation: 1000 steps on 65 x 65 float64");
    forward.check("plate: croton, raw", bench::max_difference(found, expected), 1e-12);
    forward.row("croton", 0, [&] { cool.call_into(std::tie(found), u, conductivity); });
    forward.row("raw: plain loops", 0, [&] { by_hand(u, conductivity(), expected); });
    forward.measure();

    auto gradient = croton::function<croton::cpu>("gradient", [](croton::tensor<double, points, points> plate, croton::scalar<double> by) {
        auto cost = croton::mean(croton::sqr(heat(plate, by)));
        return croton::outputs(cost, croton::grad(cost, by));
    });
    array<double, 0> cost, slope, expected_cost, expected_slope;
    gradient.call_into(std::tie(cost, slope), u, conductivity);
    gradient_by_hand(u, conductivity(), *expected_cost.data(), *expected_slope.data());
    bench::table backward("heat equation: gradient through 1000 steps on 65 x 65 float64");
    backward.check("cost: croton, raw", std::abs(cost() / expected_cost() - 1), 1e-10);
    backward.check("slope: croton, raw", std::abs(slope() / expected_slope() - 1), 1e-10);
    backward.row("croton", 0, [&] { gradient.call_into(std::tie(cost, slope), u, conductivity); });
    backward.row("raw: plain loops", 0, [&] { gradient_by_hand(u, conductivity(), *expected_cost.data(), *expected_slope.data()); });
    backward.measure();
    return bench::table::finish();
}
