// error: arrays are computed with in a function, as in auto f = function<cpu>([](vector<float> x) { return exp(x); }); and then f(a)
// SPDX-License-Identifier: MIT
#include <iostream>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return sum<0>(x); });
    auto y = f(x);
#else
    auto y = sum<0>(x.as_view());
#endif
    std::cout << y << '\n';
}
