// error: an array is filled with one number, of rank 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return full_like(x, sum(x)); });
#else
    auto f = function<cpu>([](vector<float> x) { return full_like(x, x); });
#endif
}
