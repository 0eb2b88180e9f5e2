// error: croton: verify_grad checks outputs of double; an output of this function holds float
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    check_gradient([](vector<double> x) { return sum(sqr(x)); }, array<double, 1>{1, 2});
#else
    check_gradient([](vector<float> x) { return sum(sqr(x)); }, array<float, 1>{1, 2});
#endif
}
