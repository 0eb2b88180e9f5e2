// error: jacobian: of what is differentiated, or of what it is differentiated for, 1 to 64 elements must be known while compiling; declare their extents
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float, 3> y) { return jacobian(exp(x) * sum(y), y); });
#else
    auto f = function<cpu>([](vector<float> x, vector<float, 3> y) { return jacobian(exp(x) * sum(y), x); });
#endif
}
