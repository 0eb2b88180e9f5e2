// error: the function has 2 arguments, but the call passes 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return x + v; });
    array<float, 2> x(2, 3);
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = f(x, v);
#else
    array<float, 2> y = f(x);
#endif
}
