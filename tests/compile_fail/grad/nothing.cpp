// error: grad needs at least one expression to differentiate for
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), x); });
#else
    auto f = function<cpu>([](vector<float> x) {
        auto none = grad(sum(x));
        return x;
    });
#endif
}
