// error: squeeze: axis 0 of argument 1 has extent "n"; only an extent of 1 can be dropped
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float, dim("n"), 1> x) { return squeeze<1>(x); });
#else
    auto f = function<cpu>([](matrix<float, dim("n"), 1> x) { return squeeze<0>(x); });
#endif
}
