// error: solve(argument 1, argument 2): argument 1 has 3 columns but argument 2 has 4 elements
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 3, 3> a, vector<float, 3> b) { return solve(a, b); });
#else
    auto f = function<cpu>([](matrix<float, 3, 3> a, vector<float, 4> b) { return solve(a, b); });
#endif
}
