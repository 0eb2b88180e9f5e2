// SPDX-License-Identifier: MIT
// The soap film of examples/14_newton_cg.cpp on 63 x 63 points: eight turns of Newton's method, whose systems conjugate gradients solve by products with the Hessian. By hand the
// slopes and the products are closed forms in plain loops.
#include "common.hpp"

#include <array>

namespace {

using croton::array;

constexpr int cells = 64, points = cells + 1, inner = cells - 1, turns = 8;
constexpr double width = 2.4 / cells, tolerance = 1e-12;

auto croton_film() {
    using namespace croton;
    return function<cpu>("film", [](tensor<double, points, points> border, tensor<double, inner, inner> begin) {
        const auto area = [&](const auto& u) {
            constexpr slice low(none, -1), high(1, none);
            auto a = u(low, low), b = u(high, low), c = u(low, high), d = u(high, high);
            const auto triangles = [](auto along, auto across) { return sum(sqrt(width * width + sqr(along) + sqr(across))); };
            return 0.5 * width * (triangles(b - a, c - a) + triangles(d - c, d - b));
        };
        auto [found, sizes] = scan([&](auto u) {
            auto cost = area(border + pad(u, 1));
            auto slope = grad(cost, u);
            auto move = conjugate_gradients([&](auto v) { return hvp(cost, u, v); }, slope, {.tolerance = tolerance});
            return step(u - move, norm(slope));
        }, begin, times(turns));
        return outputs(found, area(border + pad(found, 1)));
    });
}

using plate = std::vector<double>;  // [points,points]; what stands on the border is not moved

std::size_t at(int i, int j) { return static_cast<std::size_t>(i * points + j); }

// Calls `visit` with the three corners of each triangle: that of the right angle, and those along and across of it.
template <class Visit> void triangles(const Visit& visit) {
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            visit(at(i, j), at(i + 1, j), at(i, j + 1));
            visit(at(i + 1, j + 1), at(i, j + 1), at(i + 1, j));
        }
}

void without_border(plate& u) {
    for (int i = 0; i < points; ++i) u[at(i, 0)] = u[at(i, cells)] = u[at(0, i)] = u[at(cells, i)] = 0;
}

double dot(const plate& a, const plate& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

void by_hand(const array<double, 2>& border, array<double, 2>& found, array<double, 0>& least) {
    plate u(border.data(), border.data() + points * points), slope(u.size()), image(u.size()), move(u.size()), left(u.size()), direction(u.size());
    for (int turn = 0; turn < turns; ++turn) {
        std::ranges::fill(slope, 0);
        triangles([&](std::size_t corner, std::size_t p, std::size_t q) {
            const double along = u[p] - u[corner], across = u[q] - u[corner], by = 0.5 * width / std::sqrt(width * width + along * along + across * across);
            slope[p] += by * along;
            slope[q] += by * across;
            slope[corner] -= by * (along + across);
        });
        without_border(slope);
        std::ranges::fill(move, 0);
        left = direction = slope;
        const double all = dot(slope, slope);
        for (double size = all; size > tolerance * tolerance * all;) {
            std::ranges::fill(image, 0);
            triangles([&](std::size_t corner, std::size_t p, std::size_t q) {
                const double along = u[p] - u[corner], across = u[q] - u[corner], length = std::sqrt(width * width + along * along + across * across);
                const double a = direction[p] - direction[corner], b = direction[q] - direction[corner];
                const double by = 0.5 * width / length, back = (along * a + across * b) / (length * length);
                const double x = by * (a - along * back), y = by * (b - across * back);
                image[p] += x;
                image[q] += y;
                image[corner] -= x + y;
            });
            without_border(image);
            const double step = size / dot(direction, image);
            for (std::size_t i = 0; i < u.size(); ++i) {
                move[i] += step * direction[i];
                left[i] -= step * image[i];
            }
            const double next = dot(left, left);
            for (std::size_t i = 0; i < u.size(); ++i) direction[i] = left[i] + next / size * direction[i];
            size = next;
        }
        for (std::size_t i = 0; i < u.size(); ++i) u[i] -= move[i];
    }
    double area = 0;
    triangles([&](std::size_t corner, std::size_t p, std::size_t q) {
        const double along = u[p] - u[corner], across = u[q] - u[corner];
        area += 0.5 * width * std::sqrt(width * width + along * along + across * across);
    });
    *least.data() = area;
    for (int i = 0; i < inner; ++i)
        for (int j = 0; j < inner; ++j) found(i, j) = u[at(i + 1, j + 1)];
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<double, 2> border(points, points), begin(inner, inner), found(inner, inner), expected(inner, inner);
    for (int i = 0; i < points; ++i)
        for (int j = 0; j < points; ++j)
            if (i == 0 || j == 0 || i == cells || j == cells) border(i, j) = std::log(std::cos(i * width - 1.2) / std::cos(j * width - 1.2));
    array<double, 0> least, expected_least;
    auto film = croton_film();
    const auto call = [&] { film.call_into(std::tie(found, least), border, begin); };
    call();
    by_hand(border, expected, expected_least);
    bench::table table("Newton's method: a film of 63 x 63 points by 8 turns of conjugate gradients, float64");
    table.check("film: croton, raw", bench::max_difference(found, expected), 1e-10);
    table.check("area: croton, raw", std::abs(least() / expected_least() - 1), 1e-12);
    table.row("croton", 0, call);
    table.row("raw: closed forms in plain loops", 0, [&] { by_hand(border, expected, expected_least); });
    table.measure();
    return bench::table::finish();
}
