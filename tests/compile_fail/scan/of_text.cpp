// error: what loops carry and walk along is expressions, tuples of them, models or none
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return foldl([](auto s, auto e) { return s + e; }, 0.0f, x); });
#else
    auto f = function<cpu>([](vector<float> x) { return foldl([](auto s, auto e) { return s + e; }, "0", x); });
#endif
}
