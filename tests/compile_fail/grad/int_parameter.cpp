// error: grad needs float or double; an int or bool expression has no derivative
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x, vector<float> y) { return grad(sum(cast<float>(x) * sqr(y)), y); });
#else
    auto f = function<cpu>([](vector<int> x, vector<float> y) { return grad(sum(cast<float>(x) * sqr(y)), x); });
#endif
}
