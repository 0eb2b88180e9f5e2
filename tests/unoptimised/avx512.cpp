// SPDX-License-Identifier: MIT
// Every function that chooses between integers in its lanes; it is compiled, and not run.
#include <cstdint>
#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<float> x, vector<double> y, vector<int> i, vector<std::int64_t> j) {
        return std::tuple(log(x), log(y), pow(x, x), pow(y, y), where(i > 1, i, -i), where(j > 1, j, -j), argmax(x), argmax(y));
    });
    f(array<float, 1>{1, 2}, array<double, 1>{1, 2}, array<int, 1>{1, 2}, array<std::int64_t, 1>{1, 2});
}
