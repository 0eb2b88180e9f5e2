// error: argument 1 of grad(cost, x) must be an array, but is none; of a function f it is f(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return grad([](auto y) { return sum(y * y); }(x), x); });
#else
    auto f = function<cpu>([](vector<float> x) { return grad([](auto y) { return sum(y * y); }, x); });
#endif
}
