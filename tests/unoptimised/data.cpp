// SPDX-License-Identifier: MIT
// A function of the graph, one with a loop, one that says what was traced, and an expression on arrays.
#include <cstdio>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto line = function<cpu>([](matrix<float> m, matrix<float> x, matrix<float> b) { return dot(m, x) + b; });
    auto powers = function<cpu>([](vector<float> x) {
        auto [last, all] = scan([&](auto power) { return step(power * x, sum(power)); }, ones_like(x), times(5));
        return std::tuple(last, all);
    });
    const array<float, 2> m{{1, 2}, {3, 4}};
    array<float, 2> y = line(m, m, m);
    y = y * m + 1;
    std::puts(explain(line).c_str());
    return static_cast<int>(y(0, 0) + std::get<0>(powers(array<float, 1>{1, 2}))(0));
}
