// error: the indices of take are whole numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, vector<int> i) { return take<0>(x, i); });
#else
    auto f = function<cpu>([](matrix<float> x, vector<float> i) { return take<0>(x, i); });
#endif
}
