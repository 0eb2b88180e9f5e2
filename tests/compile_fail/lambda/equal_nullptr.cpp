// error: a pointer says no extents; make a view of what lies there, as in view<float, 1>(p, {n})
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x == 0; });
#else
    auto f = function<cpu>([](vector<float> x) { return x == nullptr; });
#endif
}
