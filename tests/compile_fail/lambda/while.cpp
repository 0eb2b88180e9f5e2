// error: a traced comparison is not true or false while tracing; choose with where(condition, a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<float> x) { expr<float, 0> y = x; for (int i = 0; i < 3; ++i) y = where(y > 1, y / 2, y); return y; });
#else
    auto f = function<cpu>([](scalar<float> x) { expr<float, 0> y = x; while (y > 1) y = y / 2; return y; });
#endif
}
