// error: grad takes a scalar cost; reduce it first, as in mean(error) or sum(error)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), x); });
#else
    auto f = function<cpu>([](vector<float> x) { return grad(sqr(x), x); });
#endif
}
