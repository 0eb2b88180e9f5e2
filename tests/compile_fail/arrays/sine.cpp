// error: arrays are computed with in a function, as in auto f = function<cpu>([](vector<float> x) { return exp(x); }); and then f(a)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> x(3);
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> y) { return sin(y); });
    auto y = f(x);
#else
    auto y = sin(x);
#endif
}
