// error: extent: there is no axis 1: the argument has 1 axis
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](vector<float> x) { return x.extent(0); });
#else
    auto f = function<cpu>([](vector<float> x) { return x.extent(1); });
#endif
}
