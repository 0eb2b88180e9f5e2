// error: argument 3 of attention(asked, keys, values) must be an array, but is a number
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return attention(x, x, x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return attention(x, x, 2.5); });
#endif
    f(array<float, 2>(3, 3));
}
