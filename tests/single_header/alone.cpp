// SPDX-License-Identifier: MIT
// A program that includes the single header and nothing else.
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto line = function<cpu>([](matrix<float> m, matrix<float> x, matrix<float> b) { return dot(m, x) + b; });
    const array<float, 2> m{{1, 2}, {3, 4}};
    const array<float, 2> x{{1, 0}, {0, 1}};
    const array<float, 2> b{{1, 1}, {1, 1}};
    const array<float, 2> y = line(m, x, b);
    return y(0, 0) == 2 && y(0, 1) == 3 && y(1, 0) == 4 && y(1, 1) == 5 ? 0 : 1;
}
