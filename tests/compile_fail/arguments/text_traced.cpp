// error: argument 2 of maximum(x, y) must be an array or a number, but is text
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return maximum(x, 0); });
#else
    auto f = function<cpu>([](matrix<float> x) { return maximum(x, "0"); });
#endif
    f(array<float, 2>(3, 3));
}
