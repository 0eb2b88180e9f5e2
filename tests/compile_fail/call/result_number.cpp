// error: the array for result 1 is a number, but it is written to; pass an array such as array<float, 0>
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    auto f = function<cpu>([](vector<float> v) { return sum(v); });
    array<float, 1> v(3);
    array<float, 0> total;
    float number = 0;
#ifdef CROTON_TEST_OK
    f.call_into(total, v);
#else
    f.call_into(number, v);
#endif
}
