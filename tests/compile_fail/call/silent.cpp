// error: dot(argument 1, argument 2): argument 1 has 3 elements but argument 2 has 4 elements
// SPDX-License-Identifier: MIT
// The function of a wrong lambda goes wherever a right one would: one error.
#include <iostream>

#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    const auto wrong = function<cpu>([](vector<float, 3> x, vector<float, 3> y) { return outputs(dot(x, y), x); });
#else
    const auto wrong = function<cpu>([](vector<float, 3> x, vector<float, 4> y) { return outputs(dot(x, y), x); });
#endif
    auto f = wrong;
    array<float, 1> x{1, 2, 3}, y(3);
    auto [a, b] = f(x, y);
    std::cout << a << b << b(0) + 2 * b(1) << std::get<1>(f(x, y)).extent(0) << '\n';
    f.call_into(std::tie(a, b), x, y);
    for (const float each : b) std::cout << each;
}
