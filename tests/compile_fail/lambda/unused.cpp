// error: argument 2 is not used by any output or update; remove the parameter, or say unused(x) in the lambda
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return x + y; });
#else
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return 2 * x; });
#endif
}
