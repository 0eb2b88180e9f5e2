// error: the axes of tensordot are on_axes: tensordot(a, b, on_axes<0, 2>, on_axes<1, 0>)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> x, matrix<float> y) { return tensordot(x, y, on_axes<0>, on_axes<0>); });
#else
    auto f = function<cpu>([](matrix<float> x, matrix<float> y) { return tensordot(x, y, {0, 0}); });
#endif
}
