// error: the axes of sum stand in angle brackets: sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return sum<0>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return sum(x, 0); });
#endif
}
