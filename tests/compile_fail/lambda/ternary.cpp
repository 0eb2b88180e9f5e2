// error: a traced comparison is not true or false while tracing; choose with where(condition, a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<float> x, scalar<float> y) { return where(x > 0, x, y); });
#else
    auto f = function<cpu>([](scalar<float> x, scalar<float> y) { return x > 0 ? x : y; });
#endif
}
