// error: ^ is the exclusive or of integers and bools; a power is pow(a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return pow(x, 2); });
#else
    auto f = function<cpu>([](vector<float> x) { return x ^ 2; });
#endif
}
