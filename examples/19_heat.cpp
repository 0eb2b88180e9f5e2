// SPDX-License-Identifier: MIT
// Heat in a square plate whose border is cold: each turn of the loop moves it by one step of time, a slice for each neighbour. A plate that is warm as
// sin(a pi x) sin(b pi y) keeps that form and cools down exponentially, so what comes out is known; and the gradient through all steps finds out how
// well a plate conducts by what it was like at the end.
#include <croton/croton.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <tuple>

using namespace croton;

namespace {

constexpr int cells = 64, steps = 1000;
constexpr double width = 1.0 / cells, duration = 5e-5;  // of a step

constexpr auto heat = [](const auto& initial, const auto& conductivity) {
    const auto turn = [&](auto u) {
        constexpr slice in(1, -1);
        auto around = u(slice(2, none), in) + u(slice(none, -2), in) + u(in, slice(2, none)) + u(in, slice(none, -2));
        return step(pad(u(in, in) + duration / (width * width) * conductivity * (around - 4 * u(in, in)), 1));
    };
    return std::get<0>(scan(turn, initial, times(steps)));
};

array<double, 2> mode(int a, int b) {
    array<double, 2> u(cells + 1, cells + 1);
    for (int i = 1; i < cells; ++i)
        for (int j = 1; j < cells; ++j) u(i, j) = std::sin(a * std::numbers::pi * i * width) * std::sin(b * std::numbers::pi * j * width);
    return u;
}

}  // namespace

int main() {
    auto cool = function<cpu>("cool", [](matrix<double> u, scalar<double> conductivity) { return heat(u, conductivity); });

    std::puts(" a  b   left of it   exp(-(a^2 + b^2) pi^2 t)   by the steps' own formula");
    for (const auto& [a, b] : {std::pair(1, 1), std::pair(2, 1), std::pair(3, 3)}) {
        const array<double, 2> before = mode(a, b), after = cool(before, 1.0);
        const double pi = std::numbers::pi, sa = std::sin(a * pi * width / 2), sb = std::sin(b * pi * width / 2);
        const double expected = std::pow(1 - 4 * duration / (width * width) * (sa * sa + sb * sb), steps);
        double top = 0, worst = 0;
        for (int i = 0; i <= cells; ++i)
            for (int j = 0; j <= cells; ++j) {
                top = std::max(top, std::abs(after(i, j)));
                worst = std::max(worst, std::abs(after(i, j) - expected * before(i, j)));
            }
        std::printf("%2d %2d     %.6f                   %.6f   %.6f, everywhere %s\n", a, b, top, std::exp(-(a * a + b * b) * pi * pi * duration * steps),
                    expected, worst < 1e-13 ? "to within 1e-13" : "WRONG");
    }

    // Newton's method on what is left of the plate as a whole, a number of one unknown, by the gradient backwards through the thousand steps.
    auto train = function<cpu>("train", [](matrix<double> u, matrix<double> measured, shared<scalar<double>> conductivity) {
        auto off = sum(heat(u, conductivity)) - sum(measured);
        return outputs(off).updates(conductivity -= off / grad(off, conductivity));
    });
    const array<double, 2> u = mode(1, 1), measured = cool(u, 0.7);
    array<double, 0> conductivity = 0.3;
    std::puts("\nconductivity of a plate, 0.7 in truth:");
    for (int i = 0; i < 6; ++i) {
        std::printf("%.6f\n", conductivity());
        train(u, measured, conductivity);
    }

    save_npy("conductivity.npy", conductivity);
    const auto again = load_npy<array<double, 0>>("conductivity.npy");
    std::printf("saved to conductivity.npy; loaded again, it is %s\n", again() == conductivity() ? "the same" : "ANOTHER");
}
