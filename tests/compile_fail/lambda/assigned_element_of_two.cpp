// error: what is assigned to a part of an expression is lost; set_at<0>(x, i, y) and add_at<0>(x, i, y) have other elements where indices lead, where(mask, y, x) where a mask does
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x, vector<int> i) { return set_at<0>(x, i, x[1]); });
#else
    auto f = function<cpu>([](vector<float> x) { x[0] = x[1]; return x; });
#endif
}
