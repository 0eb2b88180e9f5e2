// error: several arrays of indices index axes side by side; transpose the array first
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(3, 4), y(2, 4);
    const array<float, 3> cube(2, 3, 4);
    const array<int, 1> ids{0, 1};
#ifdef CROTON_TEST_OK
    y = cube.transpose()(slice(), ids, ids).transpose();
#else
    y = cube(ids, slice(), ids);
#endif
}
