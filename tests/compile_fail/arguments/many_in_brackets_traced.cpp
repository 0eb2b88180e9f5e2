// error: take takes the axis in angle brackets, and nothing else: take<0>(x, indices)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take<0>(x, i); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take<0, 1>(x, i); });
#endif
}
