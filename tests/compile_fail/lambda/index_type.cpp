// error: an index is a whole number, a slice, none, ellipsis or an array of whole numbers; choose elements by a condition with where(mask, x, 0)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x[0]; });
#else
    auto f = function<cpu>([](vector<float> x) { return x[x > 0]; });
#endif
}
