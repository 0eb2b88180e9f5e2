// error: an expression has no elements to walk over while tracing; name the axes that a function works along, as in sum<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return sum(x); });
#else
    auto f = function<cpu>([](vector<float> x) { expr<float, 1> s = x; for (auto e : x) s += e; return s; });
#endif
}
