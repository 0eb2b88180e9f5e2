// error: argument 2 of jacobian(y, x) must be an array or a model of arrays, but is a number
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return jacobian(x * 2.0f, x); });
#else
    auto f = function<cpu>([](vector<float> x) { return jacobian(x * 2.0f, 2.0f); });
#endif
}
