// error: what jacobian takes derivatives for stands without braces: jacobian(y, w, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return jacobian(sqr(x), x); });
#else
    auto f = function<cpu>([](vector<float> x) { return jacobian(sqr(x), {x}); });
#endif
}
