// error: squeeze names the axes it drops, as in squeeze<0>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, 1, 1> x) { return squeeze<0>(x); });
#else
    auto f = function<cpu>([](matrix<float, 1, 1> x) { return squeeze<>(x); });
#endif
}
