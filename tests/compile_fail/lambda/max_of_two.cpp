// error: max and min reduce one expression along axes; the larger of two is maximum(a, b), the smaller minimum(a, b)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return maximum(x, 0); });
#else
    auto f = function<cpu>([](vector<float> x) { return max(x, 0); });
#endif
}
