// error: an expression has no elements to pick while tracing; name the axes that a function works along, as in sum<0>(x), or choose elements with where(mask, x, 0)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return sum<0>(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return x[0]; });
#endif
}
