// SPDX-License-Identifier: MIT
// A soap film: the surface of least area over a square whose border is given, by Newton's method. The Hessian, of a row and a column for each point, is
// never there: conjugate gradients ask only for products with it, and both loops are inside of one function. The border is that of Scherk's surface,
// log(cos x / cos y), for which the film is known.
#include <croton/croton.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <tuple>

using namespace croton;

namespace {

constexpr int turns = 8;
constexpr double edge = 2.4;  // of the square, around 0; Scherk's surface goes up to infinity where x or y is pi / 2

// The area of the film, two triangles to a cell, by `width` of a cell.
constexpr auto area = [](const auto& u, const auto& width) {
    constexpr slice low(none, -1), high(1, none);
    auto a = u(low, low), b = u(high, low), c = u(low, high), d = u(high, high);
    const auto triangles = [&](auto along, auto across) { return sum(sqrt(sqr(width) + sqr(along) + sqr(across))); };
    return 0.5 * width * (triangles(b - a, c - a) + triangles(d - c, d - b));
};

double scherk(double x, double y) { return std::log(std::cos(x) / std::cos(y)); }

}  // namespace

int main() {
    // The inner points start as they are given, and what comes out besides is the size of the gradient before each turn.
    auto film = function<cpu>("film", [](matrix<double> border, matrix<double> inner, scalar<double> width) {
        auto [found, sizes] = scan([&](auto u) {
            auto cost = area(border + pad(u, 1), width);
            auto slope = grad(cost, u);
            auto move = conjugate_gradients([&](auto v) { return hvp(cost, u, v); }, slope, {.tolerance = 1e-12});
            return step(u - move, norm(slope));
        }, inner, times(turns));
        return outputs(found, sizes, area(border + pad(found, 1), width));
    });

    std::puts("size of the gradient before each turn              points       area  off Scherk's surface by");
    for (int cells : {8, 16, 32, 64}) {
        const double width = edge / cells;
        const auto exact = [&](int i, int j) { return scherk(i * width - edge / 2, j * width - edge / 2); };
        array<double, 2> border(cells + 1, cells + 1), inner(cells - 1, cells - 1);
        for (int i = 0; i <= cells; ++i)
            for (int j = 0; j <= cells; ++j)
                if (i == 0 || j == 0 || i == cells || j == cells) border(i, j) = exact(i, j);
        const auto [found, sizes, least] = film(border, inner, width);
        double worst = 0;
        for (int i = 1; i < cells; ++i)
            for (int j = 1; j < cells; ++j) worst = std::max(worst, std::abs(found(i - 1, j - 1) - exact(i, j)));
        for (int k = 0; k + 1 < turns; ++k) std::printf("%.0e ", std::max(sizes(k), 1e-12));
        std::printf("%s  %2d x %2d   %.6f  %.1e\n", sizes(turns - 1) < 1e-12 ? "<1e-12" : "WRONG", cells - 1, cells - 1, least(), worst);

        if (cells < 64) continue;
        save_npy("film.npy", found);
        const auto [still, no_sizes, area_again] = film(border, load_npy<array<double, 2>>("film.npy"), width);
        const bool same = no_sizes(0) < 1e-12 && std::abs(area_again() - least()) < 1e-12;
        std::printf("saved to film.npy; loaded again, it has nowhere to go: %s\n", same ? "the same area" : "WRONG");
    }
}
