// error: logical_and takes bool, but its argument holds float; compare first, as in x > 0
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x > 0 && x < 1; });
#else
    auto f = function<cpu>([](vector<float> x) { return x && x; });
#endif
}
