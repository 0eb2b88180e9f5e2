// error: the indices of segments and bincount are whole numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> v, vector<int> i) { return segment_sum<4>(v, i); });
#else
    auto f = function<cpu>([](vector<float> v, vector<float> i) { return segment_sum<4>(v, i); });
#endif
}
