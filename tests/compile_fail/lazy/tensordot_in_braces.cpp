// error: the axes of tensordot are on_axes: tensordot(a, b, on_axes<0, 2>, on_axes<1, 0>)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}, {3, 4}};
#ifdef CROTON_TEST_OK
    auto y = eval(tensordot(a, a, on_axes<1>, on_axes<0>));
#else
    auto y = eval(tensordot(a, a, {{1}, {0}}));
#endif
}
