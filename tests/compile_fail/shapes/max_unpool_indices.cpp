// error: max_unpool takes elements and, for each, the whole number that max_pool2d_with_indices gave
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(4, 4);
    array<float, 4> x(1, 1, 4, 4);
    array<int, 4> at(1, 1, 4, 4);
#ifdef CROTON_TEST_OK
    auto y = eval(max_unpool2d(x, at, x));
#else
    auto y = max_unpool2d(m, m, m);
#endif
}
