// error: the indices of take_along_axis are whole numbers, of an integer type
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, matrix<int> i) { return take_along_axis<0>(x, i); });
#else
    auto f = function<cpu>([](matrix<float> x, matrix<bool> i) { return take_along_axis<0>(x, i); });
#endif
}
