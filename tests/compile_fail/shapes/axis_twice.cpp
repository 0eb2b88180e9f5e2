// error: axis -1 is named twice
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return sum<0, -1>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return sum<1, -1>(x); });
#endif
}
