// SPDX-License-Identifier: MIT
// A product plus a matrix, y = m x + b, is one call of gemm.
#include <croton/croton.hpp>

#include <iostream>

using namespace croton;

int main() {
    // The lambda runs while this file compiles: m, x and b are symbols, and what it returns is a graph of two nodes,
    // dot and +. BLAS's gemm computes c = alpha a b + beta c, so the compiler of croton makes one step of the two:
    // b is copied to where the result goes, and gemm with alpha = beta = 1 adds the product to it. Nothing holds
    // dot(m, x) on its own, and no loop adds b to it. `return 2 * dot(transpose(m), x) - b` would be one gemm as well.
    auto line = function<cpu>("line", [](matrix<float> m, matrix<float> x, matrix<float> b) { return dot(m, x) + b; });

    const array<float, 2> m{{1, 2}, {3, 4}, {5, 6}};
    const array<float, 2> x{{1, 0, -1, 2}, {0, 1, 1, -2}};
    const array<float, 2> b{{10, 20, 30, 40}, {50, 60, 70, 80}, {90, 100, 110, 120}};

    // The sizes are those of the call, and are checked: [3,2] x [2,4] + [3,4] -> [3,4].
    array<float, 2> y = line(m, x, b);
    std::cout << y << '\n';
}
