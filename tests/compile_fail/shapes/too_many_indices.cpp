// error: an array takes at most one index for each of its axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return x(0, 1); });
#else
    auto f = function<cpu>([](matrix<float> x) { return x(0, 1, 2); });
#endif
}
