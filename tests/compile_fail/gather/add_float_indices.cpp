// error: the indices of add_at and set_at are whole numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return add_at<0>(x, i, 1.0f); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<bool> i) { return add_at<0>(x, i, 1.0f); });
#endif
}
