// error: segments are made of values with at least one axis, and of a vector of numbers of segments
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> v, vector<int> i) { return segment_sum<4>(v, i); });
#else
    auto f = function<cpu>([](vector<float> v, matrix<int> i) { return segment_sum<4>(v, i); });
#endif
}
