// error: there is no axis 2: the argument has 2 axes
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x) { return swapaxes<0, 1>(x); });
#else
    auto f = function<cpu>([](matrix<float> x) { return swapaxes<0, 2>(x); });
#endif
}
