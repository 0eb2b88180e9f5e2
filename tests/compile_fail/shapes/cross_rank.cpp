// error: cross takes vectors of 3 numbers, or arrays of them along the last axis
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return cross(x, y); });
#else
    auto f = function<cpu>([](vector<float> x, scalar<float> y) { return cross(x, y); });
#endif
}
