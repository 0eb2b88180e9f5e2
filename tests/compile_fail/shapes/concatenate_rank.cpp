// error: concatenate joins arrays of one rank and one element type; convert with cast<float>(x), add an axis with newaxis<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, matrix<float, 1, 3> y) { return concatenate<0>(newaxis<0>(x), y); });
#else
    auto f = function<cpu>([](vector<float> x, matrix<float, 1, 3> y) { return concatenate<0>(x, y); });
#endif
}
