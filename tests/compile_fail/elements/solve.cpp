// error: solve: argument 1 holds float and argument 2 holds double
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, vector<float> b) { return solve(a, b); });
#else
    auto f = function<cpu>([](matrix<float> a, vector<double> b) { return solve(a, b); });
#endif
}
