// error: the cost does not depend on x
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad(sum(sqr(sort(named(x, "x")))), x); });
#else
    auto f = function<cpu>([](vector<float> x) { return grad(sum(sqr(cast<float>(argsort(named(x, "x"))))), x); });
#endif
}
