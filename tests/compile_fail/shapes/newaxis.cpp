// error: newaxis names a position that the result does not have
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return newaxis<1>(x); });
#else
    auto f = function<cpu>([](vector<float> x) { return newaxis<2>(x); });
#endif
}
