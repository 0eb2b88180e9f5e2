// error: tensordot names as many axes of the one array as of the other
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return tensordot(a, b, on_axes<0>, on_axes<1>); });
#else
    auto f = function<cpu>([](matrix<float> a, matrix<float> b) { return tensordot(a, b, on_axes<0, 1>, on_axes<1>); });
#endif
}
