// error: the axis of take stands in angle brackets: take<0>(x, indices)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    // Without an axis NumPy takes of all elements, one after the other.
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take<0>(x, i); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take(x, i); });
#endif
}
