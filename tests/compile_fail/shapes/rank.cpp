// error: the rank of an expression is 0 to 8
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](tensor<float, 1, 1, 1, 1, 1, 1, 1, 1> x) { return 2 * x; });
#else
    auto f = function<cpu>([](tensor<float, 1, 1, 1, 1, 1, 1, 1, 1> x) { return newaxis<0>(x); });
#endif
}
