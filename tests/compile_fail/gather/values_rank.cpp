// error: add_at and set_at take values that fit what the indices pick: take<axis>(x, indices) has fewer axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<int> i, vector<float> v) { return set_at<0>(x, i, v); });
#else
    auto f = function<cpu>([](vector<float> x, vector<int> i, matrix<float> v) { return set_at<0>(x, i, v); });
#endif
}
