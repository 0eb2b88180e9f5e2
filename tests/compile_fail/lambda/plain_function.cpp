// error: a function is made from a lambda; wrap other callables, as in [](matrix<float> x) { return f(x); }
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

constexpr auto twice(vector<float> x) { return 2 * x; }

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return twice(x); });
#else
    auto f = function<cpu>(twice);
#endif
}
