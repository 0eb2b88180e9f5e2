// error: take<0>(x, indices) takes 2 arguments, but is given 1
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return take<0>(x, cast<int>(x(0))); });
#else
    auto f = function<cpu>([](matrix<float> x) { return take<0>(x); });
#endif
    f(array<float, 2>(3, 3));
}
