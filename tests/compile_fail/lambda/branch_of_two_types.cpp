// error: a traced comparison is not true or false while tracing; choose with where(condition, a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return where(x > 0, x, -x); });
#else
    auto f = function<cpu>([](vector<float> x) { if (x > 0) return x; return -x; });
#endif
    f(array<float, 1>{1, 2});
}
