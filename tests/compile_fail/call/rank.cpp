// error: argument 2 has rank 2, but the function takes rank 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](matrix<float> x, vector<float> v) { return x + v; });
    array<float, 2> x(2, 3);
    array<float, 1> v(3);
#ifdef CROTON_TEST_OK
    f(x, x[0]);
#else
    f(x, x);
#endif
}
