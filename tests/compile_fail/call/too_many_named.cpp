// error: the function has 1 argument, but the call passes 2
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 1> a{1, 2}, b{1, 3};
    auto f = function<cpu>([](vector<float> x) { return outputs(x + 1, x * 2); });
#ifdef CROTON_TEST_OK
    auto [y, z] = f(a);
#else
    auto [y, z] = f(a, b);
#endif
}
