// error: an expression is used that was given no value; start with one, as in expr<float, 1> s = x
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> s = x; for (int i = 0; i < 3; ++i) s += x; return s; });
#else
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> s; for (int i = 0; i < 3; ++i) s += x; return s; });
#endif
}
