// error: the extents of ones are whole numbers, as in ones<float>(2, 3); those of an array has ones_like(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> m(2, 3);
#ifdef CROTON_TEST_OK
    array<float, 2> y = ones_like(m);
#else
    array<float, 2> y = ones<float>(m);
#endif
}
