// error: softmax(x) takes 1 argument, but is given 3
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return softmax(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return softmax(x, x, x); });
#endif
    f(array<float, 2>(3, 3));
}
