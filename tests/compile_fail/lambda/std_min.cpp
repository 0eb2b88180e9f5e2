// error: a traced comparison is not true or false while tracing; choose with where(condition, a, b)
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return minimum(x, 2 * x); });
#else
    auto f = function<cpu>([](vector<float> x) { return std::min(x, x); });
#endif
    f(array<float, 1>{1, 2});
}
