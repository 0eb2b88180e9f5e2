// error: a floating-point number meets an expression of int; convert the expression with cast<float>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

#include <cmath>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<int> x) { return maximum(cast<float>(x), -INFINITY); });
#else
    auto f = function<cpu>([](vector<int> x) { return maximum(x, -INFINITY); });
#endif
}
