// error: the axes of sum stand in angle brackets: sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    const auto f = function<cpu>([](matrix<float> x) { return x / sum<1>(x, keepdims); });
#else
    const auto f = function<cpu>([](matrix<float> x) { return x / sum(x, 1, keepdims); });
#endif
    f(array<float, 2>(2, 3));
}
