// error: derivatives are those of symbols, in a function, as in function<cpu>([](vector<float> x) { return grad(sum(sqr(x)), x); })
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    auto g = function<cpu>([](vector<float> x) { return jacobian(x * x, x); })(a);
#else
    auto g = jacobian(a * a, a);
#endif
}
